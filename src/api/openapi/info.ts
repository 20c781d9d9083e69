/** What a reader has to know before any operation. */
export const description = `Voice assistants and chat agents, managed over one API.

## Getting a token
Send \`Authorization: Bearer <token>\` with every request. With the embedded database the server prints the first
operator's token when it starts; elsewhere it is the ADMIN_API_KEY of the installation. A token acts as its user, and
its role, workspace and features decide what it may see and do. What lies outside is a 404.

## Errors
An error's body has a \`message\`. On the endpoints for assistants, squads and phone numbers it also has
\`success: false\`; the completions endpoint wraps it into \`error\`. A refused input is 422 with \`errors\`: texts by
field, nested fields as dotted paths. Every response carries \`x-request-id\`: name it when you report a problem.

## Conventions
Fields that are not described are ignored. A field that may be \`null\` keeps its value when it is left out and loses
it when it is \`null\`. Lengths count Unicode code points. Times are ISO 8601 in UTC.

## Lists
Lists take \`page\` and \`per_page\`, which is clamped to 1..100, and say in \`pagination\` where the page is.

## Sending a POST again
With an \`Idempotency-Key\` a POST can be sent again safely: for 24 hours the same key, token, path and body get the
first response again, with \`Idempotency-Replayed: true\`. Another body is 422; while the first still runs it is 409.

## Limits
Each token has a number of requests per minute: \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` say
where it stands. Over it the response is 429, and \`Retry-After\` says how many seconds to wait. A JSON body may have
1 MB, a form 25 MB.

## tRPC
Every operation is also a tRPC procedure under \`/trpc\`, named in \`x-trpc-procedure\`; path, query and body fields
form one input object. Operations marked \`x-extension\` are this product's own additions.`

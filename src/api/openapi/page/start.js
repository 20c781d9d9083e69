/* global SwaggerUIBundle */
const dark = matchMedia('(prefers-color-scheme: dark)')
const shade = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', shade)
shade()

/** A request of the page as plain values. */
const plain = (request) => {
  const { url, method, headers = {}, body } = request.toJS()
  return { url, method, headers, body: typeof body === 'string' ? body : undefined }
}

const fetchSnippet = (request) => {
  const { url, method, headers, body } = plain(request)
  const lines = [`  method: '${method}',`, `  headers: ${JSON.stringify(headers)},`]
  if (body) lines.push(`  body: JSON.stringify(${body}),`)
  return `const response = await fetch('${url}', {\n${lines.join('\n')}\n})\nconsole.log(await response.json())`
}

const pythonSnippet = (request) => {
  const { url, method, headers, body } = plain(request)
  const given = body ? `,\n    data=${JSON.stringify(body)}` : ''
  return `import requests\n\nresponse = requests.request(\n    "${method}", "${url}",\n    headers=${JSON.stringify(headers)}${given},\n)\nprint(response.json())`
}

let operations = {}
let groups = []
/** The sections that a search has left. */
let found = new Set()

/** The procedure of a request, with what REST takes from path, query and body as one object. */
const trpcSnippet = (request) => {
  const { url, method, body } = plain(request)
  const { pathname, searchParams } = new URL(url)
  for (const [path, item] of Object.entries(operations)) {
    const procedure = item[method.toLowerCase()]?.['x-trpc-procedure']
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const found = new RegExp(`${path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname)
    if (!procedure || !found) continue
    const given = names.map((name, index) => [name, decodeURIComponent(found[index + 1])])
    const input = {
      ...Object.fromEntries(searchParams),
      ...(body ? JSON.parse(body) : {}),
      ...Object.fromEntries(given),
    }
    const call = method === 'GET' ? 'query' : 'mutate'
    const text = Object.keys(input).length > 0 ? JSON.stringify(input, undefined, 2) : ''
    return `import { createSwitchboard } from 'switchboard-client'\n\nconst { api } = createSwitchboard({ url, token })\nconst result = await api.${procedure}.${call}(${text})`
  }
  return 'Only over REST.'
}

/** Finds words in summaries, paths and names of operations; a group stays when its name has them. */
function search(sections, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (...texts) => words.every((word) => texts.join(' ').toLowerCase().includes(word))
  const left = sections
    .map((group, name) =>
      has(name)
        ? group
        : group.update('operations', (list) =>
            list.filter((entry) =>
              has(
                entry.get('path'),
                entry.get('method'),
                entry.getIn(['operation', 'summary']),
                entry.getIn(['operation', 'operationId']),
              ),
            ),
          ),
    )
    .filter((group) => group.get('operations').size > 0)
  found = new Set(left.keys())
  return left
}

/** The name of a group above the first of its sections that is shown. */
const withGroupName = (Section, system) => (props) => {
  const { createElement, Fragment } = system.React
  const phrase = system.layoutSelectors.currentFilter()
  const isSearch = typeof phrase === 'string' && phrase !== 'true' && phrase !== ''
  const group = groups.find(({ tags }) => tags.includes(props.tag))
  const first = group?.tags.find((tag) => !isSearch || found.has(tag))
  const name = first === props.tag ? createElement('h2', { className: 'group-name' }, group.name) : null
  return createElement(Fragment, null, name, createElement(Section, props))
}

/** What the page is about, folded away, so that the operations are what one sees first. */
function foldDescription() {
  const about = document.querySelector('.swagger-ui .info .description')
  if (!about || about.closest('details')) return
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = 'Tokens, errors, lists and limits: what every operation has in common'
  about.replaceWith(details)
  details.append(summary, about)
  document.querySelector('.operation-filter-input')?.setAttribute('placeholder', 'Search summaries, paths and names')
}

SwaggerUIBundle({
  url: new URL('openapi.json', location.href).href,
  dom_id: '#docs',
  deepLinking: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  requestSnippetsEnabled: true,
  requestSnippets: {
    generators: {
      curl_bash: { title: 'curl', syntax: 'bash' },
      fetch: { title: 'fetch', syntax: 'javascript' },
      trpc: { title: 'tRPC', syntax: 'javascript' },
      python: { title: 'Python', syntax: 'python' },
    },
    defaultExpanded: true,
  },
  plugins: [
    {
      wrapComponents: { OperationTag: withGroupName },
      fn: {
        opsFilter: search,
        requestSnippetGenerator_fetch: fetchSnippet,
        requestSnippetGenerator_python: pythonSnippet,
        requestSnippetGenerator_trpc: trpcSnippet,
      },
    },
  ],
  responseInterceptor(response) {
    if (response.url.endsWith('/openapi.json') && response.ok) {
      const document = JSON.parse(response.text)
      operations = document.paths
      groups = document['x-tagGroups'] ?? []
    }
    return response
  },
  onComplete: foldDescription,
})

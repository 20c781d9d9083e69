import { everyHeader, headersTooLarge, unchanged } from './responses.ts'
import { type JsonSchema, type OperationObject, type PathItem, type ResponseObject, refTo } from './types.ts'

const response = (description: string, schema: JsonSchema, example: unknown): ResponseObject => ({
  description,
  headers: everyHeader,
  content: { 'application/json': { schema, example } },
})

const asset = (description: string, type: string): ResponseObject => ({
  description,
  headers: everyHeader,
  content: { [type]: { schema: { type: 'string' } } },
})

const operation = (
  operationId: string,
  summary: string,
  responses: Record<string, ResponseObject>,
): OperationObject => ({
  operationId,
  summary,
  tags: ['System'],
  security: [],
  responses: { ...responses, 304: unchanged, 431: headersTooLarge },
  'x-extension': true,
})

const text: JsonSchema = { type: 'string' }

/** The paths that are no procedures. */
export const systemPaths = (version: string): Record<string, PathItem> => ({
  '/': {
    get: operation('root', 'Where everything is', {
      200: response(
        'The addresses of the console, the documentation and the APIs, relative to this one.',
        {
          type: 'object',
          properties: { name: text, version: text, links: { type: 'object', additionalProperties: text } },
          required: ['name', 'version', 'links'],
        },
        { name: 'Switchboard', version, links: { console: 'console', docs: 'docs' } },
      ),
      302: { description: 'A browser, which takes `text/html`, is led to the console.' },
    }),
  },
  '/health': {
    get: operation('health', 'What runs here', {
      200: response(
        'The server runs.',
        {
          type: 'object',
          properties: {
            status: { type: 'string', const: 'ok' },
            version: text,
            database: { type: 'string', enum: ['embedded', 'postgresql'] },
            voice_platform: { type: 'string', enum: ['embedded (simulated)', 'live'] },
          },
          required: ['status', 'version', 'database', 'voice_platform'],
        },
        { status: 'ok', version, database: 'embedded', voice_platform: 'embedded (simulated)' },
      ),
    }),
  },
  '/health/ready': {
    get: operation('health-ready', 'Whether requests can be served', {
      200: response(
        'They can.',
        { type: 'object', properties: { status: { type: 'string', const: 'ready' } }, required: ['status'] },
        { status: 'ready' },
      ),
      503: response(
        'The database is out of reach or takes no writes, migrations are pending, or the server is stopping.',
        {
          type: 'object',
          properties: { status: { type: 'string', const: 'unavailable' }, reason: text },
          required: ['status', 'reason'],
        },
        { status: 'unavailable', reason: 'the database is out of reach' },
      ),
    }),
  },
  '/metrics': {
    get: {
      ...operation('metrics', 'Figures of an instance, for Prometheus', {
        200: asset('The figures in the text format of Prometheus, for the token of an operator.', 'text/plain'),
        401: response('There is no token, or it is wrong.', refTo('schemas', 'ErrorBody'), {
          message: 'Unauthenticated.',
        }),
        403: response('This is not the token of an operator.', refTo('schemas', 'ErrorBody'), {
          message: 'Only an operator may do this.',
        }),
      }),
      security: [{ bearer: [] }],
    },
  },
  '/openapi.json': {
    get: operation('openapi', 'This description', {
      200: response('An OpenAPI 3.1 document.', { type: 'object', additionalProperties: true }, { openapi: '3.1.0' }),
    }),
  },
  '/docs': {
    get: operation('docs', 'The interactive documentation', {
      200: asset('A page over this description that needs nothing from the internet.', 'text/html'),
    }),
  },
  '/widget.js': {
    get: operation('widget-script', 'The website widget', {
      200: asset('The script that the embed HTML of an assistant loads.', 'text/javascript'),
    }),
  },
  '/files/pictures/{name}': {
    get: {
      ...operation('profile-picture', 'A profile picture', {
        200: {
          description: 'The image, as `profile_picture` of a user names it.',
          headers: everyHeader,
          content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
        },
        404: response('There is none of that name.', refTo('schemas', 'ErrorBody'), {
          success: false,
          message: 'Picture not found',
        }),
      }),
      parameters: [{ in: 'path', name: 'name', required: true, schema: { type: 'string' } }],
    },
  },
})

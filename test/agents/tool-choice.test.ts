import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { chooseTool } from '../../src/language-model/local/tool-choice.ts'

const tool = (name: string, description: string, parameters: string[]): LanguageModelV4FunctionTool => ({
  ...{ type: 'function', name, description },
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }])),
    required: parameters,
  },
})
const tools = [
  tool('get_weather', 'The current weather of a city', ['city']),
  tool('order_status', 'The status of an order', ['orderId']),
  tool('find_customer', 'Looks up a customer by e-mail', ['email']),
  tool('search_products', 'Search the products of the shop', ['query']),
  tool('book_casino', 'Books an evening in a casino', ['casino']),
]

test.each<[question: string, name: string, input: object]>([
  ['What is the weather in Berlin?', 'get_weather', { city: 'Berlin' }],
  ['What is the weather in Room B12?', 'get_weather', { city: 'Room B12' }],
  ['Weather in Sa\u0303o Paulo!', 'get_weather', { city: 'Sa\u0303o Paulo' }],
  ["What's the weather in Lisbon and what's the city?", 'get_weather', { city: 'Lisbon' }],
  ['The weather of the city "Porto", please', 'get_weather', { city: 'Porto' }],
  ['What is the status of order 4711?', 'order_status', { orderId: '4711' }],
  ['ada1@example.com asks for the status of order A-17.', 'order_status', { orderId: 'A-17' }],
  ['Look up the customer "ada@example.com".', 'find_customer', { email: 'ada@example.com' }],
  ['Look up the customer ada@example.com.', 'find_customer', { email: 'ada@example.com' }],
  ['Search the products for chairs', 'search_products', { query: 'Search the products for chairs' }],
  ['Book an evening at Monte Carlo', 'book_casino', { casino: 'Monte Carlo' }],
])('a tool is called with what a question says: %s', (question, name, input) => {
  expect(chooseTool(tools, question)).toEqual({ name, input })
})

test.each([
  'When does the shop open?',
  'What is the weather of a city?',
  'Which weather do people in Lisbon like?',
  'How is the weather with Ihnen?',
  'Is there a Starbucks with weather?',
  'What is the status of the order?',
])('no tool is called where a question asks for something else or says too little: %s', (question) => {
  expect(chooseTool(tools, question)).toBeUndefined()
})

/** A tool of the catalogue that finds orders, as an operator makes it. */
export const orderTool = {
  label: 'Find',
  description: 'Finds an order.',
  type: 'function',
  scope: 'global',
  definition: { server: { url: 'https://shop.example/orders' } },
}

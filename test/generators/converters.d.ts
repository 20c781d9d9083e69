declare module '@usebruno/converters' {
  /** A collection of Bruno: folders have `items`, requests have none. */
  export function openApiToBruno(description: unknown): Promise<{ name: string; items: { items?: unknown[] }[] }>
}

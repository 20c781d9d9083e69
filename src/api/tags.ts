/** The sections of the documentation, in the order in which they are shown. */
export const tags: readonly { name: string; description: string }[] = [
  {
    name: 'Assistants',
    description: 'Voice assistants that answer phone calls. A write reaches the live voice platform first.',
  },
  { name: 'System', description: 'Health of this installation, and this description. No token is needed.' },
]

import manifest from '../../package.json' with { type: 'json' }

/** The version of this installation, as the package says it. */
export const { version } = manifest

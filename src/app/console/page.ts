import type { ConsoleManifest } from './build.ts'

/** The page runs only its own scripts and talks only to its own server; its styles are partly inline. */
export const securityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%233b4ac8'/%3E%3Cg fill='none' stroke='%23fff' stroke-width='2.6' stroke-linecap='round'%3E%3Cpath d='M9 10c8 0 6 12 14 12M9 22c8 0 6-12 14-12'/%3E%3C/g%3E%3Cg fill='%23fff'%3E%3Ccircle cx='8.5' cy='10' r='2.6'/%3E%3Ccircle cx='8.5' cy='22' r='2.6'/%3E%3Ccircle cx='23.5' cy='10' r='2.6'/%3E%3Ccircle cx='23.5' cy='22' r='2.6'/%3E%3C/g%3E%3C/svg%3E"

const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Switchboard</title>
<link rel="icon" href="${icon}">`

/**
 * The page of every address of the console. Its links are relative to an address `depth` folders below the console, so
 * that it also works behind a path prefix.
 */
export function consolePage({ script, style, preload, files }: ConsoleManifest, depth: number): string {
  const assets = `${depth === 0 ? 'console/' : '../'.repeat(depth - 1)}assets/`
  const fonts = files.filter(({ name }) => name.endsWith('.woff2'))
  return `${head}
${fonts.map(({ name }) => `<link rel="preload" href="${assets}${name}" as="font" type="font/woff2" crossorigin>`).join('\n')}
<link rel="stylesheet" href="${assets}${style}">
${preload.map((name) => `<link rel="modulepreload" href="${assets}${name}">`).join('\n')}
<script type="module" src="${assets}${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The console needs JavaScript. The API and its documentation at /docs do not.</noscript>
</body>
</html>
`
}

/** What a server says that was started without its console. */
export const missingPage = `${head}
</head>
<body>
<h1>The console has not been built</h1>
<p>Run <code>bun run console</code> once, with all packages installed, and load this page again.</p>
</body>
</html>
`

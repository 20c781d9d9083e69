import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

/** Loads the console's font; until it is there, and if it never comes, the system's is shown. */
export function loadFont(): void {
  const address = new URL(inter, import.meta.url).href
  const font = new FontFace('Inter Variable', `url(${address})`, { weight: '100 900', display: 'swap' })
  document.fonts.add(font)
  font.load().catch(() => {})
}

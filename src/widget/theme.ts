import type { WidgetConfig } from './config.ts'
import { propertyPrefix } from './styles.ts'

type Rgb = readonly [number, number, number]

const defaults = {
  light: { base: [255, 255, 255], accent: [37, 83, 226] },
  dark: { base: [22, 24, 31], accent: [94, 129, 255] },
} as const satisfies Record<string, Record<string, Rgb>>

const light: Rgb = [255, 255, 255]
const dark: Rgb = [20, 22, 28]

const radii = { none: 0, small: 8, medium: 18, large: 28 }

/** The colour as the browser reads it, laid over `under` where it is see-through. */
function resolve(color: string | undefined, under: Rgb, probe: HTMLElement): Rgb | undefined {
  if (color === undefined) return undefined
  probe.style.color = color
  const [r, g, b, alpha = 1] = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).map(Number)
  if (r === undefined || g === undefined || b === undefined) return undefined
  const over = (top: number, bottom: number) => Math.round(top * alpha + bottom * (1 - alpha))
  return [over(r, under[0]), over(g, under[1]), over(b, under[2])]
}

/** Relative luminance, as WCAG 2 defines it. */
function luminance(color: Rgb): number {
  const [r, g, b] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}

/** White or near black, whichever is easier to read on the colour. */
function readableOn(color: Rgb): Rgb {
  const shade = luminance(color) + 0.05
  return 1.05 / shade >= shade / (luminance(dark) + 0.05) ? light : dark
}

const css = (color: Rgb) => `rgb(${color.join(' ')})`

/**
 * Sets the custom properties that the styles use: only numbers of this function's making reach them. Texts stay
 * readable whatever colours the page's owner picked.
 */
export function applyTheme({ theme, colors, radius }: WidgetConfig, root: HTMLElement): void {
  const { base: defaultBase, accent: defaultAccent } = defaults[theme]
  const base = resolve(colors.base, defaultBase, root) ?? defaultBase
  const accent = resolve(colors.accent, base, root) ?? defaultAccent
  const button = resolve(colors.button, base, root) ?? accent
  const values = {
    base: css(base),
    text: css(readableOn(base)),
    accent: css(accent),
    'on-accent': css(readableOn(accent)),
    button: css(button),
    'on-button': css(resolve(colors.buttonText, button, root) ?? readableOn(button)),
    radius: `${radii[radius]}px`,
  }
  root.style.removeProperty('color')
  for (const [name, value] of Object.entries(values)) root.style.setProperty(propertyPrefix + name, value)
}

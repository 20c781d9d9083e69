import { type CSSVariablesResolver, createTheme, DEFAULT_THEME, type MantineColorsTuple } from '@mantine/core'

const indigo: MantineColorsTuple = [
  '#eef0ff',
  '#dde1fb',
  '#b9c0f2',
  '#929de9',
  '#7180e1',
  '#5c6ddd',
  '#4f61db',
  '#3b4ac8',
  '#3442b0',
  '#26338c',
]

/** Greys of the dark scheme with some of the brand's blue. */
const dark: MantineColorsTuple = [
  '#cdd2e2',
  '#b0b7cc',
  '#8f96af',
  '#5d6480',
  '#3b4159',
  '#2d3246',
  '#1c2030',
  '#171a26',
  '#12141c',
  '#0c0e15',
]

/** Around what a page and a card hold: as wide as on a desk, and on a phone no wider in large letters. */
export const margin = 'calc(min(var(--mantine-spacing-lg), 5vw))'

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  colors: { indigo, dark },
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, monospace",
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Card: { defaultProps: { withBorder: true, padding: margin, radius: 'lg' } },
    Skeleton: { defaultProps: { role: 'status', 'aria-label': 'Loading' } },
    // A browser sets it in by two pixels.
    Fieldset: { defaultProps: { m: 0 } },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 } },
    Modal: { styles: { title: { fontWeight: 650, fontSize: '1.125rem' } } },
    Drawer: { styles: { title: { fontWeight: 650, fontSize: '1.125rem' } } },
    Accordion: {
      styles: {
        item: { background: 'var(--card)', borderColor: 'var(--line)' },
        label: { fontWeight: 600 },
      },
    },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    ColorPicker: { defaultProps: { saturationLabel: 'Saturation', hueLabel: 'Hue', alphaLabel: 'Opacity' } },
    ColorInput: { defaultProps: { eyeDropperButtonProps: { 'aria-label': 'Pick a colour from the screen' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { withArrow: true } },
  },
})

/** The colour of texts in each hue, on its own light shade and on plain surfaces. */
const shaded = (shade: (name: string) => string) =>
  Object.fromEntries(
    Object.keys(DEFAULT_THEME.colors).flatMap((name) => [
      [`--mantine-color-${name}-light-color`, shade(name)],
      [`--mantine-color-${name}-text`, shade(name)],
    ]),
  )

const surfaces = { '--mantine-color-body': 'var(--card)', '--mantine-color-default-border': 'var(--line)' }

/** Texts in colour and dimmed texts keep a contrast of 4.5 to 1 on every surface of both schemes. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...surfaces,
    ...shaded((name) => `color-mix(in srgb, var(--mantine-color-${name}-9) 58%, black)`),
    '--mantine-color-dimmed': '#596075',
    '--mantine-color-placeholder': '#6a7186',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-7)',
  },
  dark: {
    ...surfaces,
    ...shaded((name) => `var(--mantine-color-${name}-2)`),
    '--mantine-color-gray-light': 'rgba(255, 255, 255, 0.08)',
    '--mantine-color-dimmed': '#a3a9bd',
    '--mantine-color-placeholder': '#9097ac',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
  },
})

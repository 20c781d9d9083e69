/** How the widget looks and speaks: what the tag says, with everything unusable left out. */
export interface WidgetConfig {
  enabled: boolean
  theme: 'light' | 'dark'
  position: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left'
  size: 'tiny' | 'compact' | 'full'
  radius: 'none' | 'small' | 'medium' | 'large'
  colors: { base?: string; accent?: string; button?: string; buttonText?: string }
  texts: Partial<Record<ConfiguredText, string>>
  consentRequired: boolean
  locale: string | undefined
  /** Where the picture at the head of the panel is. */
  logo: string | undefined
  /** Whether the panel is open from the start. */
  open: boolean
}

const textKeys = {
  title: 'title',
  ctaTitle: 'cta_title',
  ctaSubtitle: 'cta_subtitle',
  start: 'start_button_text',
  end: 'end_button_text',
  greeting: 'chat_first_message',
  placeholder: 'chat_placeholder',
  empty: 'chat_empty_message',
  consentTitle: 'consent_title',
  consentText: 'consent_content',
} as const

export type ConfiguredText = keyof typeof textKeys

const maxTextLength = 5000

const themes = ['light', 'dark'] as const
const positions = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const
const sizes = ['compact', 'tiny', 'full'] as const
const radii = ['medium', 'none', 'small', 'large'] as const

/** The value when it is one of those known, else the first of them. */
function oneOf<const T extends string>(known: readonly [T, ...T[]], value: unknown): T {
  return known.find((candidate) => candidate === value) ?? known[0]
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

function parsed(json: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** What a page may say on the tag itself, over `data-config`: `data-title`, `data-theme` and so on. */
const attributes = ['theme', 'position', 'size', 'border_radius', 'accent_color', 'locale', 'title'] as const

const fromAttributes = (data: DOMStringMap) =>
  Object.fromEntries(
    attributes.flatMap((key) => {
      const value = data[key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
      return value === undefined ? [] : [[key, value]]
    }),
  )

/** An address of a picture, or one that begins at the page. */
function logoOf(address: string | undefined): string | undefined {
  if (!address || !URL.canParse(address, document.baseURI)) return undefined
  const { href } = new URL(address, document.baseURI)
  return /^(https?:|data:image\/)/i.test(href) ? href : undefined
}

/** Reads `data-config` of the tag (contract: widget 4) and what stands beside it; never throws. */
export function readConfig(data: DOMStringMap): WidgetConfig {
  const given = { ...parsed(data.config), ...fromAttributes(data) }
  const color = (key: string) => {
    const value = given[key]
    return isText(value) && CSS.supports('color', value) ? value : undefined
  }
  const texts = Object.entries(textKeys).flatMap(([name, key]) => {
    const value = given[key]
    return isText(value) ? [[name, value.slice(0, maxTextLength)] as const] : []
  })
  return {
    enabled: given.enabled !== false,
    theme: oneOf(themes, given.theme),
    position: oneOf(positions, given.position),
    size: oneOf(sizes, given.size),
    radius: oneOf(radii, given.border_radius),
    colors: {
      base: color('base_bg_color'),
      accent: color('accent_color'),
      button: color('cta_button_color'),
      buttonText: color('cta_button_text_color'),
    },
    texts: Object.fromEntries(texts),
    consentRequired: given.consent_required === true,
    locale: isText(given.locale) ? given.locale : undefined,
    logo: logoOf(data.logo),
    open: data.open !== undefined && data.open !== 'false',
  }
}

import { readConfig } from './config.ts'
import { mountWidget } from './widget.ts'

const mounted = Symbol.for('switchboard.widget')

/** The tag that this script came from; scripts that are loaded as modules are not told. */
const ownTag = () => {
  const tag = document.currentScript ?? document.querySelector('script[data-api-url]')
  return tag instanceof HTMLScriptElement ? tag : undefined
}

/** Where messages go: an http or https address without its slashes at the end. */
function apiUrlOf(tag: HTMLScriptElement): string | undefined {
  const url = tag.dataset.apiUrl ?? ''
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url.replace(/\/+$/, '') : undefined
}

/** Starts the widget of a pasted tag; a page has one, however often the tag is there. */
function start(): void {
  const tag = ownTag()
  const apiUrl = tag && apiUrlOf(tag)
  if (!tag || !apiUrl || mounted in window) return
  Object.defineProperty(window, mounted, { value: true })
  const config = readConfig(tag.dataset)
  if (!config.enabled) return
  if (document.body) mountWidget(config, apiUrl)
  else addEventListener('DOMContentLoaded', () => mountWidget(config, apiUrl), { once: true })
}

start()

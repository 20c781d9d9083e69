/** A value as the content of a double-quoted HTML attribute; nothing in it can end the attribute or the tag. */
const attribute = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\n', '&#10;')

interface Snippet {
  scriptUrl: string
  apiUrl: string
  config: object
}

/** The tag that puts an assistant's widget on a page. */
export const embedHtml = ({ scriptUrl, apiUrl, config }: Snippet): string =>
  `<script src="${attribute(scriptUrl)}" data-api-url="${attribute(apiUrl)}" data-config="${attribute(JSON.stringify(config))}" async></script>`

const names = 'think|thinking|thought|reasoning'
const block = new RegExp(`<(${names})>[\\s\\S]*?</\\1>`, 'gi')
const opened = new RegExp(`<(?:${names})>[\\s\\S]*$`, 'i')
const closed = new RegExp(`^[\\s\\S]*</(?:${names})>`, 'i')

/**
 * A model's text without its reasoning, which some servers send between tags: whole blocks, one that never ends, and
 * one whose beginning the server's template has swallowed.
 */
export const withoutReasoning = (text: string): string =>
  /<\/?(?:think|thinking|thought|reasoning)>/i.test(text)
    ? text.replace(block, '').replace(closed, '').replace(opened, '')
    : text

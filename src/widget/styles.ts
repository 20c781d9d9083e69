/**
 * What the names of custom properties begin with: a page that registers one of an everyday name changes it everywhere.
 */
export const propertyPrefix = '--switchboard-'

/**
 * The widget's styles; their custom properties get the prefix. They reach nothing outside its shadow root, and what it
 * would inherit from the page starts anew at the root.
 */
const styles = `
* { box-sizing: border-box; margin: 0; }
[hidden] { display: none !important; }
.root {
  all: initial; direction: ltr; unicode-bidi: isolate; display: block;
  --line: color-mix(in srgb, var(--text) 12%, var(--base));
  --soft: color-mix(in srgb, var(--text) 6%, var(--base));
  --quiet: color-mix(in srgb, var(--text) 66%, var(--base));
  --inner: min(var(--radius), 18px);
  --width: 384px; --height: 600px; --edge: 20px; --launcher: 60px;
  position: fixed; z-index: 2147483000; inset: auto; width: 0; height: 0;
  font: 400 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  color: var(--text); text-align: start; -webkit-font-smoothing: antialiased;
}
.root[dir='rtl'] { direction: rtl; }
.tiny { --width: 340px; --height: 480px; --launcher: 52px; }
.full { --width: 460px; --height: 740px; }
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; border: 0; background: none; padding: 0; }
svg { width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; flex: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.launcher {
  position: fixed; z-index: 1; display: flex; align-items: center; justify-content: center; gap: 12px;
  min-width: var(--launcher); min-height: var(--launcher); max-width: min(320px, calc(100vw - 2 * var(--edge)));
  padding: 0 calc((var(--launcher) - 26px) / 2);
  border-radius: min(calc(var(--radius) * 2), 34px); background: var(--button); color: var(--on-button);
  box-shadow: 0 1px 2px rgb(0 0 0 / .16), 0 10px 28px rgb(0 0 0 / .22);
  transition: transform .18s ease, box-shadow .18s ease;
}
.launcher:hover { transform: translateY(-2px); box-shadow: 0 2px 4px rgb(0 0 0 / .16), 0 14px 34px rgb(0 0 0 / .26); }
.launcher:focus-visible { outline-color: var(--text); outline-offset: 3px; box-shadow: 0 0 0 3px var(--base); }
.launcher svg { width: 26px; height: 26px; }
.root:not(.open) > .launcher .shut, .open > .launcher .chat { display: none; }
.badge { position: absolute; inset-block-start: -4px; inset-inline-end: -4px; min-width: 22px; height: 22px; padding: 0 6px; border-radius: 11px; background: #c81e1e; color: #fff; font-size: 13px; font-weight: 650; line-height: 22px; text-align: center; box-shadow: 0 0 0 2px var(--base); }
.launcher.labelled { padding-block: 9px; padding-inline: 18px 22px; }
.launcher-text { display: flex; flex-direction: column; min-width: 0; text-align: start; line-height: 1.3; overflow-wrap: anywhere; }
.launcher-text b { font-weight: 600; }
.launcher-text small { font-size: 13px; opacity: .86; }

.panel {
  position: fixed; display: flex; flex-direction: column; overflow: hidden;
  width: min(var(--width), calc(100vw - 2 * var(--edge)));
  height: min(var(--height), calc(100dvh - var(--launcher) - 2 * var(--edge) - 14px));
  background: var(--base); border: 1px solid var(--line); border-radius: var(--radius);
  box-shadow: 0 2px 6px rgb(0 0 0 / .08), 0 18px 50px rgb(0 0 0 / .18);
  animation: rise .22s cubic-bezier(.2, .8, .2, 1);
}
@keyframes rise { from { opacity: 0; transform: translateY(14px) scale(.98); } }
.bottom-right > *, .bottom-left > * { bottom: var(--edge); }
.top-right > *, .top-left > * { top: var(--edge); }
.bottom-right > *, .top-right > * { right: var(--edge); }
.bottom-left > *, .top-left > * { left: var(--edge); }
.bottom-right > .panel, .bottom-left > .panel { bottom: calc(var(--edge) + var(--launcher) + 14px); }
.top-right > .panel, .top-left > .panel { top: calc(var(--edge) + var(--launcher) + 14px); }

header { display: flex; align-items: center; gap: 10px; padding-block: 14px; padding-inline: 18px 12px; background: var(--accent); color: var(--on-accent); }
header .dot { width: 34px; height: 34px; border-radius: min(var(--radius), 17px); display: grid; place-items: center; background: color-mix(in srgb, var(--on-accent) 18%, transparent); }
header .dot { overflow: hidden; }
header .dot img { width: 100%; height: 100%; object-fit: cover; }
header .dot svg { width: 19px; height: 19px; }
h2 { flex: 1; min-width: 0; font-size: 16px; font-weight: 650; line-height: 1.3; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; overflow-wrap: anywhere; }
.tool { display: grid; place-items: center; min-width: 38px; height: 38px; border-radius: min(var(--radius), 12px); transition: background .15s; }
.tool.worded { padding: 0 12px; font-size: 14px; font-weight: 550; max-width: 150px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; display: block; }
.tool:hover { background: color-mix(in srgb, var(--on-accent) 16%, transparent); }
.tool svg { width: 20px; height: 20px; }
header :focus-visible { outline-color: var(--on-accent); outline-offset: -3px; }

.log { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 18px 16px 10px; display: flex; flex-direction: column; gap: 8px; scrollbar-width: thin; }
.log:focus-visible { outline-offset: -3px; }
.empty { margin: auto; padding: 24px; text-align: center; color: var(--quiet); white-space: pre-line; overflow-wrap: anywhere; }
.said { max-width: 84%; padding: 9px 14px; border-radius: var(--inner); white-space: pre-wrap; overflow-wrap: anywhere; animation: rise .2s ease; }
.said.assistant:not(.dots) > :not(.sr) + * { margin-top: 8px; }
.said.settled { animation: none; }
.said ul, .said ol { padding-inline-start: 22px; white-space: normal; }
.said a { color: inherit; text-decoration: underline; text-underline-offset: 2px; }
.said code { font: .92em/1.5 ui-monospace, monospace; padding: 1px 4px; border-radius: 4px; background: color-mix(in srgb, var(--text) 9%, transparent); }
.said pre { overflow-x: auto; padding: 10px 12px; border-radius: 8px; background: color-mix(in srgb, var(--text) 9%, transparent); white-space: pre; }
.said pre code { padding: 0; background: none; }
.assistant { align-self: flex-start; background: var(--soft); border-end-start-radius: min(var(--inner), 5px); }
.visitor { align-self: flex-end; background: var(--accent); color: var(--on-accent); border-end-end-radius: min(var(--inner), 5px); }
.visitor + .visitor, .assistant + .assistant { margin-top: -3px; }
.visitor.undelivered { background: none; color: var(--quiet); border: 1px dashed currentColor; }
.problem { align-self: flex-end; max-width: 92%; display: flex; flex-wrap: wrap; justify-content: flex-end; align-items: center; gap: 4px 10px; font-size: 13.5px; color: var(--quiet); text-align: end; }
.retry { font-weight: 600; color: var(--text); text-decoration: underline; text-underline-offset: 3px; padding: 6px 2px; }
.dots { display: flex; gap: 5px; padding: 15px 16px; }
.dots i { width: 7px; height: 7px; border-radius: 50%; background: var(--quiet); animation: dot 1.2s infinite ease-in-out; }
.dots i:nth-child(2) { animation-delay: .15s; }
.dots i:nth-child(3) { animation-delay: .3s; }
@keyframes dot { 0%, 60%, 100% { opacity: .3; transform: none; } 30% { opacity: 1; transform: translateY(-4px); } }

form { display: flex; align-items: flex-end; gap: 8px; margin: 8px 14px 14px; padding: 5px; background: var(--base); border: 1px solid color-mix(in srgb, var(--text) 48%, var(--base)); border-radius: min(var(--radius), 24px); transition: border-color .15s, box-shadow .15s; }
form:focus-within { border-color: var(--accent); box-shadow: 0 0 0 3px color-mix(in srgb, var(--accent) 26%, transparent); }
textarea { flex: 1; min-width: 0; min-height: 40px; max-height: 132px; padding-block: 8px; padding-inline: 12px 4px; border: 0; background: none; resize: none; outline: 0; font-size: 16px; line-height: 1.45; }
textarea:focus-visible { outline: 0; }
textarea::placeholder { color: var(--quiet); opacity: 1; }
.send { width: 40px; height: 40px; display: grid; place-items: center; border-radius: min(var(--radius), 20px); background: var(--accent); color: var(--on-accent); transition: opacity .15s; }
.send[aria-disabled='true'] { opacity: .38; cursor: default; }
.send svg { width: 20px; height: 20px; }

.consent { flex: 1; overflow-y: auto; display: flex; flex-direction: column; gap: 12px; padding: 24px 22px 20px; }
.consent h3 { font-size: 18px; font-weight: 650; line-height: 1.35; overflow-wrap: anywhere; }
.consent p { color: var(--quiet); white-space: pre-line; overflow-wrap: anywhere; }
.choices { margin-top: auto; display: flex; flex-direction: column; gap: 8px; padding-top: 14px; }
.choices button { min-height: 46px; padding: 10px 18px; border-radius: min(var(--radius), 23px); font-weight: 600; overflow-wrap: anywhere; }
.accept { background: var(--accent); color: var(--on-accent); }
.decline { color: var(--quiet); }
.decline:hover { background: var(--soft); }

@media (max-width: 480px), (max-height: 420px) {
  .root > .panel { inset: 0; width: 100%; height: 100dvh; border: 0; border-radius: 0; }
  .open > .launcher { display: none; }
}
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } .dots i { opacity: .7; } }
@media (forced-colors: active) { .launcher, .panel, .said, .send, .accept { border: 1px solid; } }
@media print { .root { display: none; } }
`

/** Puts the styles into a shadow root, by a constructed sheet, which a page's Content-Security-Policy lets through. */
export function addStyles(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles.replaceAll('--', propertyPrefix))
  root.adoptedStyleSheets = [sheet]
}

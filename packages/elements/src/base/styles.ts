/** The style of all elements. A site sets the variables without `_`, or styles a `::part`. */
const CSS = `
:host{
  --_accent:var(--guildhall-accent,light-dark(#1f56d8,#8db1ff));
  --_on-accent:var(--guildhall-on-accent,light-dark(#fff,#0b1736));
  --_text:var(--guildhall-text,light-dark(#16191f,#eceef2));
  --_muted:var(--guildhall-muted,light-dark(#565e6c,#a8b0be));
  --_surface:var(--guildhall-surface,light-dark(#fff,#171a21));
  --_soft:var(--guildhall-soft,light-dark(#f3f5f8,#222732));
  --_border:var(--guildhall-border,light-dark(#858d9b,#6f7888));
  --_line:var(--guildhall-line,light-dark(#dfe3ea,#303642));
  --_danger:var(--guildhall-danger,light-dark(#b3171f,#ff9a94));
  --_danger-soft:var(--guildhall-danger-soft,light-dark(#fdeeee,#3a1c1e));
  --_good:var(--guildhall-good,light-dark(#14703a,#7fd8a0));
  --_radius:var(--guildhall-radius,8px);
  --_gap:var(--guildhall-gap,1rem);
  display:block;color:var(--_text);font:var(--guildhall-font,400 1rem/1.5 system-ui,sans-serif);
  text-align:start;overflow-wrap:break-word;
}
:host([hidden]),[hidden]{display:none!important}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark}
:host([theme=auto]){color-scheme:light dark}
*,*::before,*::after{box-sizing:border-box}
.body{container-type:inline-size}
h2,h3,h4,p,ul,ol,dl,dd,fieldset{margin:0;padding:0}
h2{font-size:1.375rem;line-height:1.3;margin-block-end:var(--_gap)}
h3{font-size:1.0625rem;line-height:1.4;margin-block-end:.75rem}
h2:focus,h3:focus,.said:focus{outline:none}
ul,ol{list-style:none}
fieldset{border:0;min-inline-size:0}
form,.stack{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--_gap)}
.stack:empty{display:none}
.field{display:grid;gap:.375rem;min-inline-size:0}
label,legend{font-weight:600;font-size:.9375rem;padding:0}
.row{display:flex;gap:.625rem;align-items:flex-start}
.row label{font-weight:400}
.prompt{display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:baseline}
.optional,.help,.muted{color:var(--_muted);font-weight:400;font-size:.875rem}
.fault{color:var(--_danger);font-size:.875rem}
.fault:empty,.alert:empty,.said:empty,p:empty{display:none}
.fault::before{content:"⚠ ";content:"⚠ " / ""}
input,textarea,select{
  font:inherit;color:inherit;background:var(--_surface);inline-size:100%;min-inline-size:0;min-block-size:2.75rem;
  padding:.5rem .75rem;border:1px solid var(--_border);border-radius:var(--_radius);margin:0;
}
textarea{resize:vertical}
::placeholder{color:var(--_muted);opacity:1}
input[type=checkbox],input[type=radio]{inline-size:1.5rem;block-size:1.5rem;min-block-size:0;flex:none;margin-block-start:.125rem;accent-color:var(--_accent)}
input[type=file]{padding:.4rem .5rem}
input[type=file]::file-selector-button{font:inherit;font-size:.875rem;color:inherit;background:var(--_soft);border:1px solid var(--_line);border-radius:calc(var(--_radius)*.75);padding:.25rem .625rem;margin-inline-end:.625rem}
[aria-invalid=true]{border-color:var(--_danger);box-shadow:inset 0 0 0 1px var(--_danger)}
:focus-visible{outline:3px solid var(--_accent);outline-offset:2px}
.button{
  font:inherit;font-weight:600;color:inherit;background:var(--_surface);border:1px solid var(--_border);border-radius:var(--_radius);
  min-block-size:2.75rem;padding:.5rem 1rem;cursor:pointer;text-align:center;text-decoration:none;
  display:inline-flex;align-items:center;justify-content:center;gap:.5rem;
}
.button:hover{background:var(--_soft)}
.primary{background:var(--_accent);border-color:var(--_accent);color:var(--_on-accent)}
.primary:hover{background:color-mix(in srgb,var(--_accent) 88%,light-dark(#000,#fff))}
.danger{color:var(--_danger);border-color:var(--_danger)}
.small{min-block-size:2.25rem;padding:.25rem .75rem;font-size:.875rem}
.busy,.button[aria-disabled=true]{cursor:progress}
.busy::after{content:"";inline-size:1em;block-size:1em;border:2px solid;border-inline-end-color:transparent;border-radius:50%;animation:turn .8s linear infinite}
@keyframes turn{to{rotate:360deg}}
@media (prefers-reduced-motion:reduce){.busy::after{animation-duration:4s}}
.link{font:inherit;font-size:.9375rem;color:var(--_accent);background:none;border:0;padding:.25rem 0;min-block-size:1.75rem;cursor:pointer;text-decoration:underline;text-underline-offset:.2em;text-align:start}
a{color:var(--_accent);text-underline-offset:.2em}
.actions{display:flex;flex-wrap:wrap;gap:.625rem;align-items:center}
.wide>*{inline-size:100%}
.alert{background:var(--_danger-soft);color:var(--_danger);border-inline-start:4px solid var(--_danger);border-radius:calc(var(--_radius)/2);padding:.75rem 1rem}
.good{color:var(--_good);font-weight:600}
.or{display:flex;align-items:center;gap:.75rem;color:var(--_muted);font-size:.875rem;margin-block:.25rem}
.or::before,.or::after{content:"";flex:1;border-block-start:1px solid var(--_line)}
.loading{color:var(--_muted);padding-block:1rem}
.hidden{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`

let made: CSSStyleSheet | undefined

/** The sheet that all elements share. A strict policy of the page does not forbid it, as it would an inline style. */
export function sheet(): CSSStyleSheet {
  if (made === undefined) {
    made = new CSSStyleSheet()
    made.replaceSync(CSS)
  }
  return made
}

/** The style of one element beside what all share. */
export function ownSheet(css: string): CSSStyleSheet {
  const own = new CSSStyleSheet()
  own.replaceSync(css)
  return own
}

import { ownSheet } from '../base/styles.ts'

export const style = ownSheet(`
.comment{padding-block:1rem;border-block-start:1px solid var(--_line)}
.comment:first-child{border-block-start:0}
.replies{margin-inline-start:1.25rem;padding-inline-start:1rem;border-inline-start:2px solid var(--_line)}
.replies:empty{display:none}
.head{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .625rem;margin-block-end:.375rem}
.head img,.initial{inline-size:2rem;block-size:2rem;border-radius:50%;object-fit:cover;flex:none}
.initial{display:grid;place-items:center;background:var(--_soft);border:1px solid var(--_line);font-weight:600}
.name{font-weight:600}
.content{overflow-wrap:anywhere}
.content *{unicode-bidi:plaintext}
.content>*+*{margin-block-start:.5rem}
.content ul,.content ol{padding-inline-start:1.5rem;list-style:disc}
.content ol{list-style:decimal}
.content img{max-inline-size:100%;block-size:auto}
.content pre{overflow:auto;background:var(--_soft);padding:.75rem;border-radius:calc(var(--_radius)/2)}
.content blockquote{margin:0;padding-inline-start:.75rem;border-inline-start:3px solid var(--_line);color:var(--_muted)}
.files{display:flex;flex-wrap:wrap;gap:.5rem;margin-block-start:.5rem}
.files img{max-inline-size:min(100%,12rem);block-size:auto;border-radius:calc(var(--_radius)/2);display:block}
.tools{display:flex;flex-wrap:wrap;gap:.5rem;margin-block-start:.5rem}
.tools .button{border-color:transparent;padding-inline:.5rem;color:var(--_muted)}
.tools .button:hover{color:var(--_text)}
.tools [aria-pressed=true]{color:var(--_accent)}
.heart::before{content:"♡";content:"♡" / "";font-size:1.125rem;line-height:1}
.heart[aria-pressed=true]::before{content:"♥";content:"♥" / ""}
.write{margin-block-start:var(--_gap)}
.answer{background:var(--_soft);border-radius:var(--_radius);padding:1rem;margin-block-start:.75rem}
.answer:empty{display:none}
`)

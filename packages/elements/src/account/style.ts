import { ownSheet } from '../base/styles.ts'

export const style = ownSheet(`
.section{display:grid;gap:.25rem 2rem;padding-block:1.5rem;border-block-start:1px solid var(--_line)}
.section:last-of-type{padding-block-end:0}
.section:first-of-type{border-block-start:0;padding-block-start:0}
@container (inline-size >= 44rem){.section{grid-template-columns:12rem minmax(0,1fr)}}
.section .field{max-inline-size:32rem}
.section>div{display:grid;gap:var(--_gap);align-content:start}
.list>li{display:flex;flex-wrap:wrap;gap:.375rem 1rem;align-items:center;justify-content:space-between;padding-block:.75rem;border-block-start:1px solid var(--_line)}
.list>li:last-child{padding-block-end:0}
.list>li:first-child{border-block-start:0;padding-block-start:0}
.list>li>div{min-inline-size:0;overflow-wrap:anywhere;flex:1 1 12rem}
.list strong{display:block}
.picture{display:flex;flex-wrap:wrap;gap:1rem;align-items:center}
.picture img,.nobody{inline-size:4.5rem;block-size:4.5rem;border-radius:50%;object-fit:cover;background:var(--_soft);border:1px solid var(--_line)}
.nobody{display:grid;place-items:center;color:var(--_muted);font-size:1.5rem;font-weight:600}
.panel{background:var(--_soft);border-radius:var(--_radius);padding:1rem}
.panel:empty{display:none}
.qr{inline-size:11rem;max-inline-size:100%;block-size:auto;background:#fff;border-radius:calc(var(--_radius)/2);display:block}
.secret{font-family:ui-monospace,monospace;font-size:1rem;user-select:all}
.codes{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.5rem 1rem;font-family:ui-monospace,monospace}
.kinds{display:grid;gap:0}
.kind{display:grid;grid-template-columns:minmax(0,1fr) 2.25rem minmax(6.25rem,9rem);gap:.5rem .625rem;font-size:.9375rem;hyphens:auto;align-items:center;padding-block:.5rem;border-block-start:1px solid var(--_line)}
.kind:first-child{border-block-start:0;color:var(--_muted);font-size:.875rem}
.kind>:nth-child(2){justify-self:center}
.kind select{min-block-size:2.25rem;padding-block:.25rem;font-size:.9375rem}
legend{margin-block-end:.375rem}
.plans{display:grid;gap:.5rem}
.plan{display:flex;gap:.75rem;align-items:flex-start;background:var(--_surface);border:1px solid var(--_border);border-radius:var(--_radius);padding:.75rem;font-weight:400}
.plan:has(:checked){border-color:var(--_accent);box-shadow:inset 0 0 0 1px var(--_accent)}
.plan strong{display:block}
.hr{border-block-start:1px solid var(--_line);padding-block-start:var(--_gap)}
`)

/**
 * The HTML of a page: what it loads, and what it shows until its scripts have drawn it, in every language, as no script has said
 * yet which one it is. Its style is in src/ui/theme/first-frame.css.
 */
import { commandMeta } from '../src/pages/static.ts';

export interface PageParts {
  readonly icon: string;
  readonly first: string;
  /** The files of each language's messages. */
  readonly languages: Readonly<Record<string, readonly string[]>>;
  readonly root: string;
  readonly script: string;
  readonly style: string | undefined;
  /** The script's static imports, so that the browser can preload them. */
  readonly imports: readonly string[];
}

/** Without scripts nothing knows the language of the browser, so that all are shown. */
const withoutScripts = [
  ['en', 'This page needs JavaScript. The API does not: see /openapi.json.'],
  ['de', 'Diese Seite braucht JavaScript. Die API braucht es nicht: siehe /openapi.json.'],
  ['fr', 'Cette page a besoin de JavaScript. L’API s’en passe : voir /openapi.json.'],
  ['es', 'Esta página necesita JavaScript. La API no: véase /openapi.json.'],
  ['zh-Hans', '此页面需要 JavaScript。API 则不需要：见 /openapi.json。'],
] as const;
const titles = {
  chat: 'Citewire',
  dashboard: 'Citewire dashboard',
  'api-reference': 'HTTP API – Citewire',
  'not-found': 'Page not found – Citewire',
  'shared-thread': 'Shared thread – Citewire',
} as const;

const loading = [
  ['en', 'Loading…'],
  ['de', 'Wird geladen …'],
  ['fr', 'Chargement…'],
  ['es', 'Cargando…'],
  ['zh-Hans', '正在加载…'],
] as const;
const failed = [
  ['en', 'This page could not be loaded completely.', 'Try again'],
  ['de', 'Diese Seite konnte nicht vollständig geladen werden.', 'Erneut versuchen'],
  ['fr', 'Cette page n’a pas pu être chargée entièrement.', 'Réessayer'],
  ['es', 'Esta página no se pudo cargar por completo.', 'Reintentar'],
  ['zh-Hans', '此页面未能完全加载。', '重试'],
] as const;

/** The brand is as in src/ui/components/icons.tsx. */
const firstFrame = `<div class="first">
<header><h1 class="brand"><svg width="22" height="22" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M7 4H4v12h3M13 4h3v12h-3M8 10h4"/></svg> Citewire</h1></header>
<main>
<div class="first-loading" role="status">${loading.map(([lang, text]) => `<p lang="${lang}">${text}</p>`).join('')}</div>
<div class="first-failed" role="alert">${failed.map(([lang, text, again]) => `<p lang="${lang}">${text}<br><button type="button" class="button">${again}</button></p>`).join('')}</div>
</main>
</div>`;

/** The document of a page; `parts` are the paths of what it loads. */
export function pageHtml(page: keyof typeof titles, parts: PageParts): string {
  const { icon, first, languages, root, script, style, imports } = parts;
  const named = Object.entries(languages).map(([language, paths]) => ` data-${language}="${paths.join(' ')}"`);
  return `<!doctype html>
${root}
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="${commandMeta}" content="citewire">
<title>${titles[page]}</title>
<link rel="icon" href="${icon}">
<link rel="search" type="application/opensearchdescription+xml" title="Citewire" href="/opensearch.xml">
<script src="${first}"${named.join('')}></script>
${style === undefined ? '' : `<link rel="stylesheet" href="${style}">\n`}${imports.map((path) => `<link rel="modulepreload" href="${path}">\n`).join('')}<script type="module" src="${script}"></script>
</head>
<body>
${firstFrame}
${withoutScripts.map(([language, text]) => `<noscript lang="${language}"><p>${text}</p></noscript>`).join('\n')}
</body>
</html>
`;
}

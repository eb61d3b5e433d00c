/** Texts that a language writes as English does, by family; `everywhere` are names. */
export const sameAsEnglish: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  messages: {
    everywhere: ['answer.json', 'answer.markdown', 'template.json', 'failures.fullStop'],
    de: [
      ...['shell.dashboard', 'keys.escapeKey', 'answer.link', 'share.link', 'composer.format', 'composer.text'],
      ...['pause.in', 'template.namePlaceholder', 'template.string'],
    ],
    es: ['keys.escapeKey', 'keys.searchKey', 'structured.no'],
    fr: [
      ...['keys.searchKey', 'answer.passages.one', 'answer.passages.other', 'reader.citation', 'sources.label'],
      ...[
        'composer.sources',
        'composer.format',
        'composer.effort',
        'composer.collections',
        'fields.prompt',
        'fields.image',
        'fields.effort',
      ],
      ...['steps.sources.one', 'steps.sources.other', 'status.citations.one', 'status.citations.other'],
      ...['stepSummaries.citations.one', 'stepSummaries.citations.other'],
    ],
    zh: ['keys.enterKey', 'keys.escapeKey', 'keys.searchKey'],
  },
  account: {
    de: ['accounts.status', 'plans.starter', 'plans.pro', 'forms.name', 'invite.link'],
    es: ['plans.starter', 'plans.pro', 'forms.plan'],
    fr: ['accounts.invitations', 'plans.starter', 'plans.pro'],
  },
  dashboard: {
    everywhere: [
      ...['shell.webhooks', 'shell.chat', 'sources.url', 'channels.http', 'channels.websocket', 'channels.ai-sdk'],
      ...[
        'channels.tavily',
        'channels.exa',
        'channels.parallel',
        'channels.perplexity',
        'channels.open-webui',
        'channels.searxng',
        'channels.mcp',
      ],
    ],
    de: [
      ...['shell.label', 'common.name', 'common.optional', 'common.browsers', 'measures.tokens', 'sources.progress'],
    ],
    es: ['usage.plan', 'measures.tokens'],
    fr: [
      ...['shell.sources', 'quotas.title', 'feedback.citation', 'playground.transport', 'sources.pages.one'],
      ...['sources.pages.other', 'sourceKinds.url', 'collections.title', 'collections.sources.one'],
      ...['collections.sources.other'],
    ],
  },
  designer: {
    de: [
      ...['form.name', 'form.prompt', 'input.string', 'try.optional', 'difference.optional'],
      ...['versions.version', 'api.version'],
    ],
    es: ['form.prompt', 'input.no'],
    fr: [
      ...['page.versions', 'form.description', 'form.prompt', 'research.effort', 'research.collections'],
      ...['research.sources', 'run.sourceCount.one', 'run.sourceCount.other', 'run.sources'],
      ...['versions.version', 'api.version'],
    ],
  },
  server: {
    everywhere: ['fields.url', 'fields.webhook'],
    de: ['fields.name', 'fields.status', 'fields.prompt'],
    es: ['fields.plan', 'fields.prompt'],
    fr: [...['fields.sources', 'fields.collections', 'fields.description', 'fields.prompt', 'fields.effort']],
  },
};

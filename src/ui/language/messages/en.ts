/**
 * The texts of the chat, in English: the keys and placeholders that every other language has. Texts with a `count` have a form
 * for each plural category. Keys are grouped by where the text is.
 */
import type { MessageTree, Translated } from '../message.ts';

export type Messages = Translated<typeof messages>;

export const messages = {
  language: {
    label: 'Language',
    ofBrowser: 'As the browser: {language}',
  },
  theme: {
    label: 'Theme: {theme}. Switch to {next}',
    system: 'system',
    light: 'light',
    dark: 'dark',
  },
  time: {
    now: 'just now',
  },
  dialog: {
    close: 'Close',
    cancel: 'Cancel',
  },
  shell: {
    skip: 'Skip to answers',
    threads: 'Threads',
    showThreads: 'Show threads',
    hideThreads: 'Hide threads',
    newThread: 'New thread',
    dashboard: 'Dashboard',
    dashboardFoot: 'Dashboard: keys and usage',
    signOut: 'Sign out',
    search: 'Search',
    welcome: 'What would you like to know?',
    promise: 'Answers come with quotes that you can check in the source pages.',
    opening: 'Opening the thread…',
    answers: 'Answers',
  },
  keys: {
    title: 'Keyboard',
    enterKey: 'Enter',
    escapeKey: 'Esc',
    searchKey: 'Ctrl K',
    write: 'Write a question',
    last: 'In an empty box: bring back the last question',
    enter: 'Ask; with Shift, a new line',
    escape: 'Stop the answer, or close what is open',
    search: 'Search threads',
    show: 'Show these keys',
  },
  signIn: {
    key: 'API key',
    hint: 'The server printed a key when it first started, and a link to sign in without one. The key is forgotten when you close this tab.',
    invalid: 'Invalid API key.',
    submit: 'Sign in',
  },
  shared: {
    about: 'A shared thread, as it was on {made}. The link works until {end}.',
    nothing: 'Nothing in this thread had been answered when it was shared.',
    badLink: 'This link does not work',
    incomplete: 'It is incomplete: its last part, after the #, is missing.',
  },
} as const satisfies MessageTree;

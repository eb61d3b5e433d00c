/** German. */
import type { Messages } from './en.ts';

export const messages: Messages = {
  language: {
    label: 'Sprache',
    ofBrowser: 'Wie im Browser: {language}',
  },
  theme: {
    label: 'Farbschema: {theme}. Wechseln zu: {next}',
    system: 'System',
    light: 'hell',
    dark: 'dunkel',
  },
  time: {
    now: 'gerade eben',
  },
  dialog: {
    close: 'Schließen',
    cancel: 'Abbrechen',
  },
  shell: {
    skip: 'Zu den Antworten springen',
    threads: 'Unterhaltungen',
    showThreads: 'Unterhaltungen einblenden',
    hideThreads: 'Unterhaltungen ausblenden',
    newThread: 'Neue Unterhaltung',
    dashboard: 'Dashboard',
    dashboardFoot: 'Dashboard: Schlüssel und Nutzung',
    signOut: 'Abmelden',
    search: 'Suche',
    welcome: 'Was möchten Sie wissen?',
    promise: 'Jede Antwort enthält Zitate, die Sie auf den Quellseiten nachprüfen können.',
    opening: 'Unterhaltung wird geöffnet …',
    answers: 'Antworten',
  },
  keys: {
    title: 'Tastenkürzel',
    enterKey: 'Eingabe',
    escapeKey: 'Esc',
    searchKey: 'Strg K',
    write: 'Frage eingeben',
    last: 'Im leeren Feld: letzte Frage zurückholen',
    enter: 'Fragen; mit Umschalttaste: neue Zeile',
    escape: 'Antwort anhalten oder Geöffnetes schließen',
    search: 'Unterhaltungen durchsuchen',
    show: 'Diese Tastenkürzel anzeigen',
  },
  signIn: {
    key: 'API-Schlüssel',
    hint: 'Der Server hat beim ersten Start einen Schlüssel ausgegeben, dazu einen Link, mit dem Sie sich ohne Schlüssel anmelden. Der Schlüssel wird verworfen, sobald Sie diesen Tab schließen.',
    invalid: 'Ungültiger API-Schlüssel.',
    submit: 'Anmelden',
  },
  shared: {
    about: 'Eine geteilte Unterhaltung mit Stand vom {made}. Der Link gilt bis zum {end}.',
    nothing: 'Als diese Unterhaltung geteilt wurde, war noch nichts beantwortet.',
    badLink: 'Dieser Link funktioniert nicht',
    incomplete: 'Er ist unvollständig: Der letzte Teil nach dem # fehlt.',
  },
};

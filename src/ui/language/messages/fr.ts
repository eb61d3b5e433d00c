/** French. A no-break space stands before `:`, `;`, `?` and `!`. */
import type { Messages } from './en.ts';

export const messages: Messages = {
  language: {
    label: 'Langue',
    ofBrowser: 'Celle du navigateur : {language}',
  },
  theme: {
    label: 'Thème : {theme}. Passer à : {next}',
    system: 'système',
    light: 'clair',
    dark: 'sombre',
  },
  time: {
    now: 'à l’instant',
  },
  dialog: {
    close: 'Fermer',
    cancel: 'Annuler',
  },
  shell: {
    skip: 'Aller aux réponses',
    threads: 'Conversations',
    showThreads: 'Afficher les conversations',
    hideThreads: 'Masquer les conversations',
    newThread: 'Nouvelle conversation',
    dashboard: 'Tableau de bord',
    dashboardFoot: 'Tableau de bord : clés et utilisation',
    signOut: 'Se déconnecter',
    search: 'Recherche',
    welcome: 'Que souhaitez-vous savoir ?',
    promise: 'Chaque réponse cite des passages que vous pouvez vérifier dans les pages sources.',
    opening: 'Ouverture de la conversation…',
    answers: 'Réponses',
  },
  keys: {
    title: 'Raccourcis clavier',
    enterKey: 'Entrée',
    escapeKey: 'Échap',
    searchKey: 'Ctrl K',
    write: 'Écrire une question',
    last: 'Champ vide : rappeler la dernière question',
    enter: 'Envoyer ; avec Maj, aller à la ligne',
    escape: 'Arrêter la réponse ou fermer ce qui est ouvert',
    search: 'Rechercher dans les conversations',
    show: 'Afficher ces raccourcis',
  },
  signIn: {
    key: 'Clé d’API',
    hint: 'À son premier démarrage, le serveur a affiché une clé, ainsi qu’un lien pour se connecter sans clé. La clé est oubliée à la fermeture de cet onglet.',
    invalid: 'Clé d’API non valide.',
    submit: 'Se connecter',
  },
  shared: {
    about: 'Conversation partagée, dans son état du {made}. Le lien est valable jusqu’au {end}.',
    nothing: 'Cette conversation ne contenait aucune réponse au moment du partage.',
    badLink: 'Ce lien ne fonctionne pas',
    incomplete: 'Il est incomplet : la dernière partie, après le #, est manquante.',
  },
};

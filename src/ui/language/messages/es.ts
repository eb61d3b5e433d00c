/** Spanish. */
import type { Messages } from './en.ts';

export const messages: Messages = {
  language: {
    label: 'Idioma',
    ofBrowser: 'El del navegador: {language}',
  },
  theme: {
    label: 'Tema: {theme}. Cambiar a: {next}',
    system: 'sistema',
    light: 'claro',
    dark: 'oscuro',
  },
  time: {
    now: 'ahora mismo',
  },
  dialog: {
    close: 'Cerrar',
    cancel: 'Cancelar',
  },
  shell: {
    skip: 'Ir a las respuestas',
    threads: 'Conversaciones',
    showThreads: 'Mostrar conversaciones',
    hideThreads: 'Ocultar conversaciones',
    newThread: 'Nueva conversación',
    dashboard: 'Panel',
    dashboardFoot: 'Panel: claves y uso',
    signOut: 'Cerrar sesión',
    search: 'Búsqueda',
    welcome: '¿Qué quiere saber?',
    promise: 'Las respuestas incluyen citas que puede comprobar en las páginas de origen.',
    opening: 'Abriendo la conversación…',
    answers: 'Respuestas',
  },
  keys: {
    title: 'Atajos de teclado',
    enterKey: 'Intro',
    escapeKey: 'Esc',
    searchKey: 'Ctrl K',
    write: 'Escribir una pregunta',
    last: 'Con el cuadro vacío: recuperar la última pregunta',
    enter: 'Preguntar; con Mayús, nueva línea',
    escape: 'Detener la respuesta o cerrar lo que esté abierto',
    search: 'Buscar conversaciones',
    show: 'Mostrar estos atajos',
  },
  signIn: {
    key: 'Clave de API',
    hint: 'Al arrancar por primera vez, el servidor mostró una clave y un enlace para iniciar sesión sin ella. La clave se olvida al cerrar esta pestaña.',
    invalid: 'Clave de API no válida.',
    submit: 'Iniciar sesión',
  },
  shared: {
    about: 'Conversación compartida, tal como estaba el {made}. El enlace funciona hasta el {end}.',
    nothing: 'Cuando se compartió esta conversación, aún no tenía respuestas.',
    badLink: 'Este enlace no funciona',
    incomplete: 'Está incompleto: falta la última parte, después de #.',
  },
};

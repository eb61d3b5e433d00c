/** Chinese, simplified. */
import type { Messages } from './en.ts';

export const messages: Messages = {
  language: {
    label: '语言',
    ofBrowser: '跟随浏览器：{language}',
  },
  theme: {
    label: '主题：{theme}。切换为{next}',
    system: '跟随系统',
    light: '浅色',
    dark: '深色',
  },
  time: {
    now: '刚刚',
  },
  dialog: {
    close: '关闭',
    cancel: '取消',
  },
  shell: {
    skip: '跳到回答',
    threads: '对话',
    showThreads: '显示对话列表',
    hideThreads: '隐藏对话列表',
    newThread: '新对话',
    dashboard: '控制台',
    dashboardFoot: '控制台：密钥与用量',
    signOut: '退出登录',
    search: '搜索',
    welcome: '想了解什么？',
    promise: '每个回答都附有引文，可在来源页面中核对。',
    opening: '正在打开对话…',
    answers: '回答',
  },
  keys: {
    title: '键盘快捷键',
    enterKey: 'Enter',
    escapeKey: 'Esc',
    searchKey: 'Ctrl K',
    write: '输入问题',
    last: '输入框为空时：找回上一个问题',
    enter: '提问；按住 Shift 则换行',
    escape: '停止回答，或关闭已打开的内容',
    search: '搜索对话',
    show: '显示快捷键',
  },
  signIn: {
    key: 'API 密钥',
    hint: '服务器首次启动时输出了一个密钥，以及一个无需密钥即可登录的链接。关闭此标签页后，密钥即被清除。',
    invalid: 'API 密钥无效。',
    submit: '登录',
  },
  shared: {
    about: '分享的对话，内容截至{made}。链接有效期至{end}。',
    nothing: '分享时，此对话中还没有任何回答。',
    badLink: '此链接无法使用',
    incomplete: '链接不完整：缺少 # 之后的部分。',
  },
};

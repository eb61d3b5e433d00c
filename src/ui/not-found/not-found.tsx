/** What a browser shows at an address of this server at which there is nothing. */
import { render } from 'preact';
import '../components/index.css';
import '../chat/layout.css';
import './not-found.css';
import { ThemeSwitch } from '../components/theme-switch.tsx';
import { TopBar } from '../components/top-bar.tsx';
import { LanguageMenu } from '../language/language-menu.tsx';
import { rich } from '../language/message.ts';
import { t } from '../language/text.ts';

function NotFound() {
  return (
    <div class="page">
      <TopBar skip={t.notFound.skip}>
        <LanguageMenu />
        <ThemeSwitch />
      </TopBar>
      <main id="main" class="main main-empty" tabIndex={-1}>
        <div class="welcome not-found">
          <h1>{t.notFound.title}</h1>
          <p>{rich(t.notFound.text, { path: () => <bdi>{readablePath()}</bdi> })}</p>
          <p>
            <a class="button button-main" href="/">
              {t.notFound.home}
            </a>
          </p>
        </div>
      </main>
    </div>
  );
}

/** As the address bar shows it, unless its escapes are no text. */
function readablePath(): string {
  const { pathname } = location;
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

document.title = `${t.notFound.title} – Citewire`;
render(<NotFound />, document.body);

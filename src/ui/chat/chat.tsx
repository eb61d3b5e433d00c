/** The chat's page: asking, and answers that can be checked. */
import { render } from 'preact';
import '../design/design.css';
import { BrandIcon } from '../design/icons.tsx';
import { ThemeSwitch } from '../design/theme-switch.tsx';
import { Toasts } from '../design/toast.tsx';

function Chat() {
  return (
    <main>
      <a class="brand" href="/">
        <BrandIcon /> Citewire
      </a>
      <h1>What would you like to know?</h1>
      <ThemeSwitch />
      <Toasts />
    </main>
  );
}

render(<Chat />, document.body);

/** The dashboard's page: keys, usage and designs of an account. */
import { render } from 'preact';
import '../design/design.css';
import { BrandIcon } from '../design/icons.tsx';
import { ThemeSwitch } from '../design/theme-switch.tsx';
import { Toasts } from '../design/toast.tsx';

function Dashboard() {
  return (
    <main>
      <a class="brand" href="/">
        <BrandIcon /> Citewire
      </a>
      <h1>Dashboard</h1>
      <ThemeSwitch />
      <Toasts />
    </main>
  );
}

render(<Dashboard />, document.body);

/** Runs before a page is drawn, so that a theme that was chosen does not appear a moment late. */
import { applyTheme, storedTheme } from './theme.ts';

applyTheme(storedTheme());

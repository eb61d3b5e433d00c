/** Runs before the first paint, so that a stored theme does not flash in late. */
import { applyTheme, storedTheme } from './theme.ts';

applyTheme(storedTheme());

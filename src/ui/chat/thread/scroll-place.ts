/**
 * Where the answers were scrolled to, by the address of the page: after a reload, and when its reader comes back to it, the page
 * shows the same place. It is kept for this tab.
 */
import { effect } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { signedIn } from '../../account/signed-in.ts';

const storageKey = 'citewire.places';
/** As a ref of Preact. */
interface Ref {
  readonly current: HTMLElement | null;
}

/** Enough for going back; set by hand. */
const maxPlaces = 50;
/** The reader has other plans. */
const ownMoves = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

const places = new Map<string, number>(readPlaces());
/** The place to show; undefined once it has been shown, or if there is none. */
let wanted: number | undefined;

const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
if (loaded?.type === 'reload' || loaded?.type === 'back_forward') returnToPlace();

addEventListener('pagehide', () => {
  try {
    if (places.size > 0) sessionStorage.setItem(storageKey, JSON.stringify([...places].slice(-maxPlaces)));
  } catch {
    // Browsers can block storage.
  }
});

let wasSignedIn = false;
/** The places are of threads of an account, and none of those is known to the browser after it has signed out. */
effect(() => {
  const isSignedIn = signedIn.value !== undefined;
  if (wasSignedIn && !isSignedIn) forgetPlaces();
  wasSignedIn = isSignedIn;
});

function forgetPlaces(): void {
  places.clear();
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // As above.
  }
}

/** Has the page show the place that the current address was left at, once its answers are drawn. */
export function returnToPlace(): void {
  wanted = places.get(address());
}

/** Whether the page shows, or is about to show, the place that it was left at. */
export function isReturning(): boolean {
  return wanted !== undefined;
}

/** Remembers where `main` is scrolled to. `turns` are its answers; `isComplete` is whether all of them have been read. */
export function useScrollPlace(main: Ref, turns: Ref, hasTurns: boolean, isComplete: boolean): void {
  useEffect(() => {
    const { current } = main;
    const onScroll = () => {
      if (wanted !== undefined) return;
      // The newest are kept.
      places.delete(address());
      places.set(address(), current!.scrollTop);
    };
    current!.addEventListener('scroll', onScroll, { passive: true });
    for (const move of ownMoves) addEventListener(move, giveUp, { passive: true, capture: true });
    return () => {
      current!.removeEventListener('scroll', onScroll);
      for (const move of ownMoves) removeEventListener(move, giveUp, { capture: true });
    };
  }, []);
  useLayoutEffect(() => {
    if (!hasTurns) return undefined;
    const go = () => {
      if (wanted !== undefined) main.current?.scrollTo({ top: wanted, behavior: 'instant' });
    };
    // They are read one after another.
    const grown = new ResizeObserver(go);
    grown.observe(turns.current!);
    return () => grown.disconnect();
  }, [hasTurns]);
  useEffect(() => {
    if (!hasTurns || !isComplete) return undefined;
    // Once the last of them has been drawn.
    const timer = setTimeout(giveUp, 300);
    return () => clearTimeout(timer);
  }, [hasTurns, isComplete]);
}

function giveUp(): void {
  wanted = undefined;
}

function address(): string {
  return location.pathname + location.search;
}

function readPlaces(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as [string, number][];
  } catch {
    return [];
  }
}

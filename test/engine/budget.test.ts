/** What a search may spend. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Budget, createBudget } from '../../src/engine/budget.ts';
import { createResearchState } from '../../src/engine/research-state.ts';

const budgets: Budget[] = [];
afterEach(() => {
  for (const budget of budgets.splice(0)) budget.close();
});

function budgetOf(tokens: number): Budget {
  const request = { prompt: '', effort: 'deep', max: { tokens } } as Parameters<typeof createBudget>[0];
  const budget = createBudget(request, 60, createResearchState(), new AbortController().signal);
  budgets.push(budget);
  return budget;
}

describe('the tokens of a search', () => {
  it('are kept for calls that are under way, with the answers that they ask for', () => {
    const { meter } = budgetOf(1_000);
    meter.admit(300, 200);
    expect(meter.left()).toBe(500);
    meter.admit(300, 150);
    expect(meter.left()).toBe(50);
    expect(() => meter.admit(100, 10)).toThrow(/tokens/);
  });

  it('are free again once a call is over, except those that it used', () => {
    const { meter } = budgetOf(1_000);
    meter.admit(300, 200);
    meter.record({ in: 280, out: 20 });
    meter.free!(500);
    expect(meter.left()).toBe(700);
  });
});

/** What holds for tickets, wherever they are kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/identity.ts';
import { createTickets, type TicketStore, type Tickets } from '../../src/access/tickets.ts';

export interface TicketStoreUnderTest {
  readonly store: TicketStore;
  /** Lets at least `ms` pass on the store's clock. */
  advance(ms: number): Promise<void>;
  /** Everything the store holds, as text. */
  dump(): Promise<string>;
  close(): Promise<void>;
}

const caller: Caller = { key_id: 'abcdefgh', account_id: 'acc_1', plan: 'pro', scopes: [] };

export function ticketLaws(name: string, open: () => Promise<TicketStoreUnderTest>): void {
  describe(`tickets over ${name}`, () => {
    let opened: TicketStoreUnderTest;
    let tickets: Tickets;
    beforeAll(async () => {
      opened = await open();
      tickets = createTickets({ store: opened.store });
    });
    afterAll(() => opened.close());

    it("grants a ticket's caller and options exactly once", async () => {
      const { ticket, expires_at } = await tickets.issue(caller, {
        ttl_s: 60,
        origin: 'https://page.example',
        max_searches: 3,
        locked: { effort: 'fast' },
      });
      expect(ticket).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
      expect(await tickets.redeem(ticket, 'https://page.example')).toEqual({
        caller,
        origin: 'https://page.example',
        max_searches: 3,
        locked: { effort: 'fast' },
      });
      await expect(tickets.redeem(ticket, 'https://page.example')).rejects.toMatchObject({ code: 'unauthorized' });
    });

    it('gives a ticket to one of many simultaneous users', async () => {
      const { ticket } = await tickets.issue(caller, { ttl_s: 60 });
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => tickets.redeem(ticket, undefined)));
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    });

    it('refuses a ticket from another origin and consumes it', async () => {
      for (const other of ['https://evil.example', 'http://page.example', undefined]) {
        const { ticket } = await tickets.issue(caller, { ttl_s: 60, origin: 'https://page.example' });
        await expect(tickets.redeem(ticket, other)).rejects.toMatchObject({ code: 'forbidden' });
        await expect(tickets.redeem(ticket, 'https://page.example')).rejects.toMatchObject({ code: 'unauthorized' });
      }
    });

    it('refuses an expired ticket', async () => {
      const { ticket } = await tickets.issue(caller, { ttl_s: 1 });
      await opened.advance(1_000);
      await expect(tickets.redeem(ticket, undefined)).rejects.toMatchObject({ code: 'unauthorized' });
    });

    it('gives the same refusal for every ticket that was never issued, whatever its form', async () => {
      const refusals = await Promise.all(
        ['', 'x', 'A'.repeat(43), 'A'.repeat(100_000), '*', '../x'].map((ticket) =>
          tickets.redeem(ticket, undefined).catch((error) => `${error.code}: ${error.message}`),
        ),
      );
      expect(new Set(refusals).size).toBe(1);
      expect(refusals[0]).toMatch(/^unauthorized: /);
    });

    it('stores nothing that contains a ticket', async () => {
      const { ticket } = await tickets.issue(caller, { ttl_s: 60 });
      const kept = await opened.dump();
      expect(kept).toContain(caller.key_id);
      expect(kept).not.toContain(ticket);
    });

    it('refuses more than 16 KiB of locked fields', async () => {
      const locked = { prompt: 'x'.repeat(17_000) };
      await expect(tickets.issue(caller, { ttl_s: 60, locked })).rejects.toMatchObject({ status: 422 });
    });
  });
}

/** A person with a browser of their own: a context, its pages, and everything that goes wrong in them. */

import { randomUUID } from "node:crypto";
import {
  expect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type Request,
} from "@playwright/test";
import type { TableAnswer, Terms, Update } from "../src/api/messages";
import type { Moment } from "./player";
import { tapWire, Wire } from "./wire";

/** Not the page's fault: the browser itself reports an answer that was refused or did not come. */
const NO_FAULT = /Failed to load resource|net::ERR_|ERR_INTERNET_DISCONNECTED/;

export type Look = Pick<
  BrowserContextOptions,
  "viewport" | "hasTouch" | "isMobile" | "colorScheme" | "locale" | "reducedMotion"
>;

export const DESKTOP: Look = { viewport: { width: 1440, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } satisfies Look;
/** The narrowest phone in use. */
export const NARROW = { ...PHONE, viewport: { width: 360, height: 740 } } satisfies Look;

/** A browser of one's own. Animation only takes time here; other tests look at what moves. */
export function contextOf(browser: Browser, url: string, look: Look): Promise<BrowserContext> {
  return browser.newContext({ baseURL: url, reducedMotion: "reduce", ...look });
}

export class Person {
  /** Faults of its pages: errors, policy violations, and anything fetched from another host. */
  readonly faults: string[] = [];

  /** What its pages received, if they are recorded. */
  readonly wire = new Wire();

  protected constructor(
    readonly name: string,
    readonly url: string,
    readonly context: BrowserContext,
  ) {}

  /** A person who has come in as a guest under this name. */
  static async arrive(
    browser: Browser,
    url: string,
    name: string,
    look: Look = DESKTOP,
    isTapped = false,
  ): Promise<Person> {
    const person = new Person(name, url, await contextOf(browser, url, look));
    if (isTapped) await tapWire(person.context, person.wire);
    person.watchAll();
    await person.ask("POST", "/api/guest", { name });
    return person;
  }

  /** A new tab at an address. */
  async open(path: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(path);
    return page;
  }

  /** Ask the service directly, with this person's cookie. */
  async ask<T>(method: "GET" | "POST", path: string, body?: object): Promise<T> {
    const answer = await this.context.request.fetch(path, {
      method,
      headers: { Origin: this.url },
      ...(body === undefined ? {} : { data: { key: randomUUID(), ...body } }),
    });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return (await answer.json()) as T;
  }

  /** A table of this person's; without a number for the shuffle it starts at once. */
  openTable(terms: Partial<Terms> & Pick<Terms, "ruleset">, bots: string[] = []): Promise<TableAnswer> {
    return this.ask<TableAnswer>("POST", "/api/tables", { terms, bots });
  }

  command(table: string, word: string, body: object = {}): Promise<Update> {
    return this.ask<Update>("POST", `/api/tables/${table}/${word}`, body);
  }

  look(table: string): Promise<TableAnswer> {
    return this.ask<TableAnswer>("GET", `/api/tables/${table}`);
  }

  /** Resolves when a choice that is about to be made at a page is granted; fails if it is refused. */
  async granted(page: Page, table: string, { view }: Moment): Promise<void> {
    const path = `/api/tables/${table}/actions`;
    const sent = await page.waitForResponse((response) => new URL(response.url()).pathname === path);
    expect(sent.ok(), `a choice of turn ${view.turn} was answered ${sent.status()}`).toBe(true);
  }

  /** Leave; fails if any page had a fault. */
  async leave(): Promise<void> {
    await this.context.close();
    expect(this.faults, `faults in the pages of ${this.name}`).toEqual([]);
  }

  protected watchAll(): void {
    this.context.on("page", (page) => this.watch(page));
    this.context.on("request", (request) => {
      if (this.asksElsewhere(request)) this.faults.push(`asked another host: ${request.url()}`);
    });
  }

  /** Whether one of our pages or its service worker fetches from another host; links may lead there. */
  private asksElsewhere(request: Request): boolean {
    const { origin, protocol } = new URL(request.url());
    if (request.isNavigationRequest() || !protocol.startsWith("http") || origin === this.url) return false;
    const asking = request.serviceWorker()?.url() ?? request.frame().url();
    return asking.startsWith(this.url);
  }

  private watch(page: Page): void {
    page.on("pageerror", (error) => this.faults.push(error.stack ?? error.message));
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() === "error" && !NO_FAULT.test(text)) this.faults.push(text);
    });
  }
}

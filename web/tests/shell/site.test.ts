/** Addresses of the site where every address is a file. */

import { describe, expect, test } from "vitest";
import { foundWithoutService } from "../../src/shell/routes";
import { at, pathAt, pathOfFile, pathOfPage } from "../../src/shell/site";

const ON_DEVICE = "01a1de9f-0000-8000-8000-000000000000";
const ON_SERVICE = "01a1de9f-0000-7000-8000-000000000000";

test("where a service answers, addresses are paths", () => {
  expect(at("/rules/escape#R5.1")).toBe("/rules/escape#R5.1");
  expect(pathAt(new URL("https://host/table/1?invite=2#t3"))).toBe("/table/1");
});

describe("on a site of files", () => {
  test.each([
    ["/", "/"],
    ["/learn", "/learn/"],
    ["/learn/first", "/learn/first/"],
    ["/device?ruleset=nest", "/device/?ruleset=nest"],
    ["/rules/escape#R5.1", "/rules/escape/#R5.1"],
    [`/table/${ON_DEVICE}`, `/table/?id=${ON_DEVICE}`],
    [`/replay/${ON_DEVICE}?invite=1#t2.1`, `/replay/?id=${ON_DEVICE}&invite=1#t2.1`],
  ])("the page %s has the address %s, and back", (path, address) => {
    expect(pathOfFile(path)).toBe(address);
    const { pathname, search } = new URL(address, "https://host");
    expect(pathOfPage(pathname, search)).toBe(path.replace(/[?#].*/, ""));
  });

  test("a file has no page of its own", () => {
    expect(pathOfFile("/licences/svelte.txt")).toBe("/licences/svelte.txt");
  });

  test("an id belongs to tables and replays alone", () => {
    expect(pathOfPage("/learn/", "?id=first")).toBe("/learn");
    expect(pathOfPage("/table/", "?id=")).toBe("/table");
    expect(pathOfPage("/table/", "?id=1%2F2")).toBe("/table");
  });

  test.each([
    ["/", "home"],
    ["/analysis", "analysis"],
    ["/device", "device"],
    ["/learn/first", "lesson"],
    ["/credits", "credits"],
    [`/table/${ON_DEVICE}`, "table"],
    [`/replay/${ON_DEVICE}`, "replay"],
    [`/table/${ON_SERVICE}`, "notFound"],
    [`/replay/${ON_SERVICE}`, "notFound"],
    ["/open", "notFound"],
    ["/ladder", "notFound"],
    ["/player/7", "notFound"],
    ["/account", "notFound"],
    ["/sign-in", "notFound"],
  ])("%s is the page %s", (path, page) => {
    expect(foundWithoutService(path).page).toBe(page);
  });
});

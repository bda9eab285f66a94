import { afterEach, expect, test, vi } from "vitest";
import { isOnDevice, send } from "../../src/api/transport";

const OF_SERVICE = "019a9a2e-5c1f-7d3e-8f00-5f0d3c2b1a00";
const OF_DEVICE = "019a9a2e-5c1f-8d3e-8f00-5f0d3c2b1a00";

afterEach(() => vi.unstubAllGlobals());

test("the id of a table says who answers", () => {
  expect(isOnDevice(OF_DEVICE)).toBe(true);
  for (const other of [OF_SERVICE, "nonsense", "", `${OF_DEVICE}0`, OF_DEVICE.slice(0, -1)])
    expect(isOnDevice(other), other).toBe(false);
});

test("what is not about a table of this device goes to the service", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return Promise.resolve(new Response());
  });
  const paths = ["/api/me", `/api/tables/${OF_SERVICE}/stream`, "/api/tables", `/api/x/${OF_DEVICE}`];
  for (const path of paths) await send(path, {});
  expect(asked).toEqual(paths);
});

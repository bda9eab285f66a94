import { expect, test, vi } from "vitest";
import type { Table, View } from "../../src/api/messages";
import { coveredSeat, oncePressable } from "../../src/device/covering";

const OF_DEVICE = "019a9a2e-5c1f-8d3e-8f00-5f0d3c2b1a00";

function table(id: string, stage: Table["stage"] = "running"): Table {
  const chairs = ["person", "person", "bot"].map((kind, seat) => ({ kind, seat }));
  return { id, stage, chairs } as unknown as Table;
}

function view(to_act: View["to_act"]): View {
  return { to_act } as View;
}

test("a person's hand is covered until that person has the device", () => {
  expect(coveredSeat(table(OF_DEVICE), view(1), null)).toBe(1);
  expect(coveredSeat(table(OF_DEVICE), view(1), 0)).toBe(1);
  expect(coveredSeat(table(OF_DEVICE), view(1), 1)).toBeNull();
});

test("nothing is covered for a bot, for chance, after the end, or on the service", () => {
  expect(coveredSeat(table(OF_DEVICE), view(2), null)).toBeNull();
  expect(coveredSeat(table(OF_DEVICE), view("chance"), null)).toBeNull();
  expect(coveredSeat(table(OF_DEVICE, "over"), view(1), null)).toBeNull();
  expect(coveredSeat(table(OF_DEVICE.replace("-8d", "-7d")), view(1), null)).toBeNull();
});

test("nothing is covered for a bot that plays on for a person", () => {
  const left = table(OF_DEVICE);
  const chairs = left.chairs.map((chair) => (chair.seat === 1 ? { ...chair, minder: "sailor" } : chair));
  expect(coveredSeat({ ...left, chairs }, view(1), 0)).toBeNull();
  expect(coveredSeat({ ...left, chairs }, view(0), null)).toBe(0);
});

test("the second of a double press uncovers no hand", () => {
  vi.useFakeTimers();
  const allow = vi.fn();
  oncePressable(allow);
  vi.advanceTimersByTime(600);
  expect(allow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(allow).toHaveBeenCalledOnce();
  oncePressable(allow)();
  vi.runAllTimers();
  expect(allow).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

/** The lessons as the engine played them out (`make web-generated`), and the order in which they are taken. */

import type { Happening, View, Wishes } from "../api/messages";
import type { Family } from "../board/places";
import listed from "./generated/course.json";

/** A lesson in the list of all lessons. */
export interface Entry {
  name: string;
  family: Family;
  /** How many tasks it has. */
  tasks: number;
}

/** The result of a choice: what happened, and the fields of the view that have changed. */
export interface Reply {
  happened: Happening[];
  changed: Partial<View>;
}

export interface Task {
  name: string;
  /** A task in the same scene as the previous one begins where that one's goal led. */
  scene: number;
  /** The sentence of the rulebook behind it. */
  rule: string;
  /** The codes that solve it. */
  goals: number[];
  view: View;
  wishes: Wishes;
  /** By code; every legal choice has one. */
  replies: Record<string, Reply>;
}

export interface Lesson {
  name: string;
  family: Family;
  tasks: Task[];
}

export const COURSE = listed as readonly Entry[];

const files = import.meta.glob<{ default: Lesson }>("./generated/lesson.*.json");

/** The lesson with this name; null if it does not exist. */
export async function fetchLesson(name: string): Promise<Lesson | null> {
  const file = files[`./generated/lesson.${name}.json`];
  return file === undefined ? null : (await file()).default;
}

/** The lesson after this one; null after the last. */
export function lessonAfter(name: string): Entry | null {
  const index = COURSE.findIndex((entry) => entry.name === name);
  return index < 0 ? null : (COURSE[index + 1] ?? null);
}

/** The first lesson that is not done yet; null if all are done. */
export function firstOpen(done: readonly string[]): Entry | null {
  return COURSE.find(({ name }) => !done.includes(name)) ?? null;
}

/** The lessons that practise what a chapter says. */
export const PRACTICE: Readonly<Record<string, string>> = {
  R1: "goal",
  R2: "turn",
  R3: "jump",
  R4: "retreat",
  R5: "row",
  R6: "boarding",
  R7: "hidden",
  R10: "sloop",
  R11: "push",
  R12: "captain",
  R13: "freebooter",
};

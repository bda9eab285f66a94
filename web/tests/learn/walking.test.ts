/** Every lesson from beginning to end, as a learner goes through it. */

import { describe, expect, test } from "vitest";
import { COURSE, fetchLesson, firstOpen, lessonAfter, PRACTICE, type Lesson } from "../../src/learn/course";
import { Walking } from "../../src/learn/walking.svelte";

async function lessonOf(name: string): Promise<Lesson> {
  const lesson = await fetchLesson(name);
  if (lesson === null) throw new Error(`no lesson ${name}`);
  return lesson;
}

/** A legal choice that does not solve the open task. */
function otherChoice({ task }: Walking): number | undefined {
  return task.wishes.legal.find(({ code }) => !task.goals.includes(code))?.code;
}

describe.each(COURSE.map(({ name }) => name))("the lesson %s", (name) => {
  test("is done when every task is solved", async () => {
    const walking = new Walking(await lessonOf(name));
    for (const [index, task] of walking.lesson.tasks.entries()) {
      expect(walking.index).toBe(index);
      expect(walking.isDone).toBe(false);
      walking.send(task.goals[0] ?? -1);
      expect(walking.solved).not.toBeNull();
      walking.next();
    }
    expect(walking.isDone).toBe(true);
    expect(walking.wishes).toBeNull();
  });

  test("shows what else was done and takes it back", async () => {
    const walking = new Walking(await lessonOf(name));
    const other = otherChoice(walking);
    if (other === undefined) return;
    walking.send(other);
    expect(walking.strayed).toBe(other);
    expect(walking.view).not.toEqual(walking.task.view);
    walking.send(walking.task.goals[0] ?? -1);
    expect(walking.index).toBe(0);
    walking.undo();
    expect(walking.view).toBe(walking.task.view);
  });
});

test("a task solved in mid-scene stays until the learner goes on, and can then be undone", async () => {
  const walking = new Walking(await lessonOf("turn"));
  walking.isShown = true;
  expect(walking.hint).toBe(walking.task.goals[0]);
  const solved = walking.task.goals[0] ?? -1;
  walking.send(solved);
  expect([walking.index, walking.solved, walking.wishes, walking.hint]).toEqual([0, solved, null, null]);
  walking.next();
  expect([walking.index, walking.solved]).toEqual([1, null]);
  expect(walking.happened).toHaveLength(1);
  walking.undo();
  expect(walking.index).toBe(0);
});

test("a new scene begins with nothing told, and undo does not lead out of it", async () => {
  const walking = new Walking(await lessonOf("jump"));
  walking.send(walking.task.goals[0] ?? -1);
  walking.undo();
  expect(walking.solved).not.toBeNull();
  walking.next();
  expect([walking.index, walking.happened.length]).toEqual([1, 0]);
  walking.undo();
  expect(walking.index).toBe(1);
});

test("what has no place on the board is shown by the name of its button", async () => {
  const captain = new Walking(await lessonOf("captain"));
  captain.isShown = true;
  expect([captain.hintWord, captain.hint]).toEqual(["sail", null]);
  const turn = new Walking(await lessonOf("turn"));
  for (let task = 0; task < 3; task++) {
    turn.send(turn.task.goals[0] ?? -1);
    turn.next();
  }
  expect(turn.hintWord).toBe("end_turn");
});

test("lessons follow each other to the last", () => {
  expect(lessonAfter("goal")?.name).toBe("card");
  expect(lessonAfter("freebooter")).toBeNull();
  expect(lessonAfter("unheard of")).toBeNull();
  expect(firstOpen([])?.name).toBe("goal");
  expect(firstOpen(["goal", "jump"])?.name).toBe("card");
  expect(firstOpen(COURSE.map(({ name }) => name))).toBeNull();
});

test("there is no lesson of an unknown name, and every chapter's practice exists", async () => {
  expect(await fetchLesson("../rulebook")).toBeNull();
  const names = COURSE.map(({ name }) => name);
  expect(Object.values(PRACTICE).filter((name) => !names.includes(name))).toEqual([]);
});

test("everything of a scene can be taken back at once, and then nothing more", async () => {
  const walking = new Walking(await lessonOf("turn"));
  expect(walking.canUndo).toBe(false);
  walking.send(walking.task.goals[0] ?? -1);
  walking.next();
  walking.send(otherChoice(walking) ?? -1);
  expect([walking.index, walking.strayed === null, walking.canUndo]).toEqual([1, false, true]);
  walking.undoAll();
  expect([walking.index, walking.strayed, walking.canUndo]).toEqual([0, null, false]);
});

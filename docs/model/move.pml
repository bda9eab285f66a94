/* At every moment at most one copy of a bucket can be written, none is lost, and every search finds it.
 *
 * Two databases with a standby each, two movers that may die between any two lines, and a node that writes.
 * README.md says which line of code each step stands for. scripts/model_check.py reads the lines that begin with
 * `plant` and `gap`.
 *
 * plant ARRIVE_FIRST (safety): the games arrive before their departure is noted
 * plant ARRIVAL_FIRST (safety): the note says that they have arrived before they have
 * plant NO_LOCK (safety): two movers at once
 * plant BACK_BLIND (safety): a move is undone without a look at whether its games have arrived
 * plant MOVE_ALONE (safety): a mover goes on before the standby has what it did
 * plant NOT_NOTED (safety): a move back that died before its arrival was noted is taken for done
 * plant LOOK_ONCE (safety): a game whose bucket came back between the look for it and for the note is denied
 */

#define OTHER(d) (1 - (d))
#define RUNS 2                          /* of each mover */
#define WRITES 2                        /* of the node */
#ifndef TROUBLES
#define TROUBLES 2                      /* movers that die, waits for a standby that are cut short: in all */
#endif
#define FAILOVERS 1

#define NONE 0
#define ON_ITS_WAY 1
#define ARRIVED 2

/* Each database, for one bucket: its games in reach, its games on their way, the note, and the log. */
bool games[2], leaving[2];
byte note[2], events[2];
/* What its standby has of each. */
bool games_copy[2], leaving_copy[2];
byte note_copy[2], events_copy[2];
byte primary[2];                        /* counts failovers: a connection belongs to one primary */

bool alone;                             /* the lock in the directory */
byte acknowledged;
byte troubles = TROUBLES;
byte movers_left = 2;
bool begun, ending;

#define SAME(d) (games[d] == games_copy[d] && leaving[d] == leaving_copy[d] && \
                 note[d] == note_copy[d] && events[d] == events_copy[d])

inline replicate(d) {
    games_copy[d] = games[d]; leaving_copy[d] = leaving[d]; note_copy[d] = note[d]; events_copy[d] = events[d]
}

inline restore(d) {
    games[d] = games_copy[d]; leaving[d] = leaving_copy[d]; note[d] = note_copy[d]; events[d] = events_copy[d]
}

/* A commit waits for the standby, or its wait is cut short without notice. */
inline commit(d) {
    if
    :: replicate(d)
    :: !last && troubles > 0 -> troubles--
    fi
}

inline confirm(d) {
#ifndef MOVE_ALONE
    if
    :: atomic { primary[d] == connected && SAME(d) }
    :: atomic { primary[d] != connected -> goto ended }
    :: atomic { !last && troubles > 0 -> troubles--; goto ended }
    fi
#else
    skip
#endif
}

inline may_die() {
    if
    :: atomic { !last && troubles > 0 -> troubles--; goto ended }
    :: true
    fi
}

/* The settings name the first database; notes of arrivals lead on from there. */
inline learn() {
    source = 0;
    if
    :: note[0] == ARRIVED -> source = 1
    :: else
    fi
}

inline depart() {
    d_step {
        if
        :: games[source] -> leaving[source] = true; games[source] = false
        :: else
        fi;
        note[source] = ON_ITS_WAY; connected = primary[source]
    }
    commit(source)
}

inline arrive() {
    connected = primary[target];
    if
    :: games[target]                    /* a mover that died had come so far */
    :: else ->
       note[target] = NONE;
       if
#ifdef ARRIVE_FIRST
       :: leaving[source] || games[source] -> games[target] = true; events[target] = events[source]
#else
       :: leaving[source] -> games[target] = true; events[target] = events[source]
#endif
       :: else
       fi;
       commit(target)
    fi
}

inline note_arrival(d) {
    if
    :: note[d] == ON_ITS_WAY -> note[d] = ARRIVED; commit(d)
    :: else
    fi
}

inline clean_up(d) {
    atomic {
        if
        :: note[d] == ARRIVED && leaving[d] -> leaving[d] = false; events[d] = 0; commit(d)
        :: else
        fi
    }
}

proctype Mover(bool last) {
    byte source, target, runs, connected;

next:
    atomic {
        if
        :: runs == (last -> 1 : RUNS) -> goto done
        :: else -> runs++
        fi;
#ifndef NO_LOCK
        !alone -> alone = true;
#endif
        connected = primary[0]
    };
    /* What was done before, perhaps by a mover that died, can no longer be lost. */
    confirm(0);
    atomic { connected = primary[1] };
    confirm(1);
    atomic {
        learn();
        if
        :: !last -> target = OTHER(source)
        :: !last -> target = source
        :: !last -> goto undo
        /* The last one does not die, and ends what others began. */
        :: last && note[source] == ON_ITS_WAY -> target = OTHER(source)
        :: last && note[source] != ON_ITS_WAY -> target = source
        fi;
        if
        :: source == target -> goto there
        :: source != target && note[source] != NONE -> goto departed
        :: source != target && note[source] == NONE && games[target] -> goto ended     /* refused */
        :: else
        fi
    };

    /* Copy ahead, after dropping what a move that was given up had brought. */
    atomic { leaving[target] = false; events[target] = events[source]; commit(target) };
    may_die();
#ifdef ARRIVE_FIRST
    atomic { arrive() };
    may_die();
#endif
    atomic { depart() };
    confirm(source);

departed:
    may_die();
#ifdef ARRIVAL_FIRST
    atomic { note[source] = ARRIVED; commit(source) };
    may_die();
#endif
    atomic { arrive() };
    confirm(target);
    may_die();
    atomic { note_arrival(source) };
    goto clean;

there:
#ifndef NOT_NOTED
    /* A move that came back, and died before it said so where the games had been. */
    atomic { note_arrival(OTHER(target)) };
#endif

clean:
    may_die();
    clean_up(0);
    may_die();
    clean_up(1);
    goto ended;

undo:
    may_die();
    atomic {
        if
        :: note[source] == NONE         /* nothing to undo */
#ifndef BACK_BLIND
        :: note[source] == ARRIVED || (note[source] == ON_ITS_WAY && games[OTHER(source)])     /* refused */
        :: note[source] == ON_ITS_WAY && !games[OTHER(source)] ->
#else
        :: note[source] != NONE ->
#endif
           note[source] = NONE;
           if
           :: leaving[source] -> leaving[source] = false; games[source] = true
           :: else
           fi;
           commit(source)
        fi
    };

ended:
    atomic { alone = false; source = 0; target = 0; connected = 0; goto next };
done:
    movers_left--
}

proctype Node() {
    byte place, writes;

    do
    :: writes == WRITES -> break
    :: else ->
       /* the statement */
       atomic {
           if
           :: games[place] -> events[place]++; writes++;
              if
              :: replicate(place); acknowledged++
              :: troubles > 0 -> troubles--
              fi
           :: else ->
              /* the note: read by another statement */
              goto follow
           fi
       };
       goto again;
follow:
       atomic {
           if
           :: note[place] == ARRIVED -> place = OTHER(place)
           :: note[place] == NONE ->
#ifdef LOOK_ONCE
              assert(false)             /* no such table */
#else
              assert(games[place])      /* it has come back meanwhile */
#endif
           fi                           /* on its way: wait */
       };
again:
       skip
    od
}

active proctype Standby() {
end:
    do
    :: d_step { !SAME(0) -> replicate(0) }
    :: d_step { !SAME(1) -> replicate(1) }
    od
}

active proctype Failover() {
    byte times;
end:
    do
    :: d_step { times < FAILOVERS && !ending -> times++; primary[0]++;
           restore(0) }
    :: d_step { times < FAILOVERS && !ending -> times++; primary[1]++;
           restore(1) }
    od
}

#define TRUTH(d) ((games[d] || (leaving[d] && note[d] == ON_ITS_WAY)) && events[d] >= acknowledged)

/* It looks once, at any moment: what it finds wrong anywhere is found. */
active proctype Watcher() {
end:
    atomic {
        begun;
        assert(!(games[0] && games[1]));
        assert(TRUTH(0) || TRUTH(1))
    }
}

init {
    atomic {
        games[0] = true; games_copy[0] = true; begun = true;
        run Mover(false); run Mover(false); run Node()
    };
    atomic { movers_left == 0 -> movers_left = 1; ending = true; run Mover(true) }
}

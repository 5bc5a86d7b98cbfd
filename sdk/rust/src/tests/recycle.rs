//! Games described in RECYCLE: the view of a turn, and who is asked.

use std::rc::Rc;

use serde_json::{Value, json};

use super::testdata::{lines, message};
use crate::answering::{Tables, recycle_rules_of};
use crate::ended::Ended;
use crate::v1::{Frame, TableOpened, Turn, turn};
use crate::{
    Action, Bot, RecycleAward, RecycleFace, RecycleRules, RecycleSpot, RecycleStep, RecycleValue,
    RecycleView, Table, View,
};

/// Looks at a line of the testdata.
fn look<T>(line: &Value, at: impl FnOnce(&RecycleView) -> T) -> T {
    let turn: Turn = message(&line["turn"]);
    let rules = recycle_rules_of(&message(&line["welcome"])).expect("rules");
    at(&RecycleView::of(&turn, &rules).expect("nothing unknown"))
}

fn told_rules(rules: &RecycleRules) -> Value {
    let face = |face: &RecycleFace| {
        json!({
            "name": face.name,
            "attributes": face.attributes,
            "back": face.back,
            "cards": face.cards,
        })
    };
    json!({
        "name": rules.name,
        "program": rules.program,
        "numbering": rules.numbering,
        "hands": rules.hands,
        "players": rules.players,
        "sides": rules.sides,
        "seat": rules.seat,
        "lowest_wins": rules.lowest_wins,
        "faces": rules.faces.iter().map(face).collect::<Value>(),
    })
}

fn told(view: &RecycleView) -> Value {
    let points = view.points();
    let maps = points.iter().map(
        |each| json!({"owner": each.owner, "name": each.name, "awards": told_awards(&each.awards)}),
    );
    let moves = view.moves();
    let moves = moves.iter().map(|each| {
        let steps: Value = each.steps.iter().map(told_step).collect();
        json!({"text": each.text, "steps": steps})
    });
    json!({
        "table": view.table(),
        "turn": view.turn(),
        "time_left_ms": view.time_left().map(|left| left.as_millis() as u64),
        "hand_number": view.hand_number(),
        "player": view.player(),
        "scores": view.scores(),
        "places": told_places(view),
        "numbers": view.numbers(),
        "texts": view.texts(),
        "points": maps.collect::<Value>(),
        "flow": view.flow(),
        "legal": view.legal(),
        "moves": moves.collect::<Value>(),
    })
}

fn told_places(view: &RecycleView) -> Value {
    let places = view.places();
    let told = places.iter().map(|place| {
        let mut told = told_spot(&place.spot);
        told["size"] = json!(place.size);
        told["backs"] = json!(place.backs);
        let names = |faces: &Vec<&RecycleFace>| faces.iter().map(|face| json!(face.name)).collect();
        told["faces"] = place.faces.as_ref().map_or(Value::Null, names);
        told
    });
    told.collect()
}

fn told_spot(spot: &RecycleSpot) -> Value {
    json!({"owner": spot.owner, "kind": spot.kind, "name": spot.name, "index": spot.index})
}

fn told_awards(awards: &[RecycleAward]) -> Value {
    let told =
        |award: &RecycleAward| json!({"attributes": award.attributes, "points": award.points});
    awards.iter().map(told).collect()
}

fn told_step(step: &RecycleStep) -> Value {
    json!({
        "verb": step.verb,
        "face": step.face.map(ToString::to_string),
        "source": step.source.as_ref().map(told_spot),
        "target": step.target.as_ref().map(told_spot),
        "owner": step.owner,
        "name": step.name,
        "value": match &step.value {
            None => Value::Null,
            Some(RecycleValue::Number(number)) => json!(number),
            Some(RecycleValue::Text(text)) => json!(text),
            Some(RecycleValue::Points(awards)) => told_awards(awards),
        },
        "other_face": step.other_face.map(ToString::to_string),
    })
}

#[test]
fn a_view_of_any_game_tells_what_the_player_knows() {
    for line in lines("recycle_views") {
        assert_eq!(look(&line, |view| told_rules(view.rules())), line["rules"]);
        assert_eq!(look(&line, told), line["view"]);
    }
}

#[test]
fn what_is_stored_is_found_by_owner_and_name() {
    for line in lines("recycle_views") {
        look(&line, |view| {
            for (owner, name, value) in view.numbers() {
                assert_eq!(view.number(owner, name), value);
            }
            for (owner, name, value) in view.texts() {
                assert_eq!(view.text(owner, name), value);
            }
            assert_eq!(
                (view.number(0, "NOTHING"), view.text(0, "NOTHING")),
                (0, "")
            );
        });
    }
}

#[test]
fn a_face_tells_its_attributes() {
    look(&many(), |view| {
        let face = &view.rules().faces[1];
        assert_eq!(face.attribute("SUIT"), Some("RED"));
        assert_eq!(face.attribute("RANK"), None);
    });
}

#[test]
fn a_card_that_is_none_of_the_game_is_never_left_out() {
    let line = many();
    let rules = recycle_rules_of(&message(&line["welcome"])).expect("rules");
    let mut turn: Turn = message(&line["turn"]);
    match turn.view.as_mut() {
        Some(turn::View::Recycle(view)) => view.places[1].faces.push(201),
        _ => panic!("the turn is one of such a game"),
    }
    assert!(RecycleView::of(&turn, &rules).is_err());
}

/// A moment with many cards.
fn many() -> Value {
    lines("recycle_views").swap_remove(2)
}

/// What a bot answers.
fn answered<'a, B: Bot + 'a>(mut seat_bot: impl FnMut(Table) -> B + 'a) -> Result<u32, Ended> {
    let line = many();
    let turn: Turn = message(&line["turn"]);
    let mut tables = Tables::new(
        &message(&line["welcome"]),
        Box::new(move |table| Box::new(seat_bot(table))),
    )?;
    tables.open(&[TableOpened {
        table_id: turn.table_id,
        seed: 5,
    }]);
    let frame = Frame {
        turns: vec![turn],
        ..Frame::default()
    };
    tables.decide(&Rc::new(frame), 0)
}

/// Returns the move in a place.
struct Acts(usize);

impl Bot for Acts {
    fn act<'a>(&mut self, _view: &RecycleView<'a>, legal: &[&'a str]) -> &'a str {
        legal[self.0]
    }
}

#[test]
fn a_move_is_answered_by_its_place() {
    assert_eq!(answered(|_| Acts(1)), Ok(1));
}

#[test]
fn a_bot_that_is_chosen_as_the_program_runs_acts_too() {
    assert_eq!(answered(|_| -> Box<dyn Bot> { Box::new(Acts(1)) }), Ok(1));
}

#[test]
fn a_move_that_is_not_legal_is_told_with_those_that_are() {
    struct Shouts;
    impl Bot for Shouts {
        fn act<'a>(&mut self, _view: &RecycleView<'a>, _legal: &[&'a str]) -> &'a str {
            "shout"
        }
    }
    let told = "the bot returned shout; legal here: play NA-RED; play CJ-BLUE";
    assert_eq!(answered(|_| Shouts), Err(Ended::Failed(told.to_owned())));
}

#[test]
#[should_panic(expected = "Chooses cannot decide: write act(&mut self, view, legal) for games")]
fn a_bot_that_does_not_act_says_so() {
    struct Chooses;
    impl Bot for Chooses {
        fn choose(&mut self, _view: &View, legal: &[Action]) -> Action {
            legal[0]
        }
    }
    let _ = answered(|_| Chooses);
}

#[test]
fn a_bot_is_made_from_the_game() {
    let made = |table: Table| {
        let rules = table.recycle.expect("the game");
        assert_eq!((rules.seat, rules.name.as_str()), (8, "eight at a table"));
        Acts(0)
    };
    assert_eq!(answered(made), Ok(0));
}

#[test]
fn a_view_of_any_game_prints_as_the_situation() {
    let situation = "recycle, acting: eight at a table, hand 12, player 3";
    assert_eq!(look(&many(), |view| view.to_string()), situation);
}

//! Situations that are made up for the tests of bots.

use serde_json::Value;

use super::testdata::{self, lines};
use super::views::told;
use crate::{Action, Bot, Game, Random, Rules, Seat, Sides, Situation, Table, View};

/// The words of a situation in the testdata, which a `Situation` borrows.
struct Words {
    hand: String,
    calls: String,
    played: String,
}

impl Words {
    fn of(line: &Value) -> Self {
        Self {
            hand: spaced(&line["hand"]),
            calls: spaced(&line["calls"]),
            played: spaced(&line["played"]),
        }
    }

    fn situation<'t>(&'t self, line: &'t Value) -> Situation<'t> {
        let game = match line["game"].as_str() {
            Some(_) => testdata::game(line),
            None => Game::Euchre,
        };
        let word = |name: &str| line[name].as_str().unwrap_or_default();
        let number = |value: &Value| value.as_u64().unwrap_or_default() as u32;
        Situation {
            game,
            hand: &self.hand,
            dealer: testdata::seat(&line["dealer"]).unwrap_or(Seat::West),
            seat: testdata::seat(&line["seat"]),
            upcard: word("upcard"),
            trump_card: word("trump_card"),
            calls: &self.calls,
            trump: word("trump"),
            maker: testdata::seat(&line["maker"]),
            played: &self.played,
            discard: word("discard"),
            score: Sides {
                us: number(&line["score"][0]),
                them: number(&line["score"][1]),
            },
            hand_number: number(&line["hand_number"]),
            dealer_stuck: line["dealer_stuck"] == true,
            rules: line["rules"]
                .is_object()
                .then(|| rules(game, &line["rules"])),
        }
    }
}

fn spaced(list: &Value) -> String {
    let words = list.as_array().into_iter().flatten();
    words
        .filter_map(Value::as_str)
        .collect::<Vec<_>>()
        .join(" ")
}

fn rules(game: Game, told: &Value) -> Rules {
    Rules {
        game,
        target: told["target"].as_u64().expect("a target") as u32,
        alone: told["alone"] == true,
        stick_dealer: told["stick_dealer"] == true,
        partner_must_go_alone: told["partner_must_go_alone"] == true,
    }
}

#[test]
fn a_situation_comes_to_what_follows_from_it_or_cannot_be() {
    for line in lines("situations") {
        let words = Words::of(&line["situation"]);
        match words.situation(&line["situation"]).moment() {
            Ok(moment) => assert_eq!(told(&moment.view()), line["view"], "{line}"),
            Err(why) => assert_eq!(
                why.to_string(),
                line["refused"].as_str().unwrap_or_default()
            ),
        }
    }
}

fn refused(situation: Situation) -> String {
    situation.moment().expect_err("it cannot be").to_string()
}

#[test]
fn a_word_that_is_none_is_named() {
    let told = Situation {
        hand: "9C",
        ..Situation::default()
    };
    let hand = "9C 1D";
    assert_eq!(refused(Situation { hand, ..told }), "\"1D\" is no card");
    let trump = "X";
    assert_eq!(refused(Situation { trump, ..told }), "\"X\" is no suit");
    let upcard = "9D 9H";
    let several = refused(Situation { upcard, ..told });
    assert_eq!(several, "\"9D 9H\" is more than one word");
}

#[test]
fn rules_of_another_game_are_refused() {
    let rules = Some(rules(Game::Whist, &serde_json::json!({"target": 10})));
    let told = Situation {
        hand: "9C",
        rules,
        ..Situation::default()
    };
    assert_eq!(refused(told), "the rules are those of whist");
}

struct Drawing(Random);

impl Bot for Drawing {
    fn choose(&mut self, _view: &View, legal: &[Action]) -> Action {
        self.0.choice(legal)
    }
}

fn leading() -> Situation<'static> {
    Situation {
        hand: "9C AC JD KS 9S",
        trump: "H",
        dealer: Seat::East,
        ..Situation::default()
    }
}

#[test]
fn a_bot_is_asked_in_a_situation_always_with_the_same_chance() {
    let draw = |table: Table| {
        assert_eq!((table.seat, table.rules.target), (Seat::South, 10));
        Drawing(table.random)
    };
    let first = leading().ask(draw);
    assert!((0..20).all(|_| leading().ask(draw) == first));
}

struct Wrong;

impl Bot for Wrong {
    fn choose(&mut self, _view: &View, _legal: &[Action]) -> Action {
        Action::Pass
    }
}

#[test]
#[should_panic(expected = "the bot returned pass; legal here: play:9C play:AC")]
fn what_a_bot_may_not_do_is_told() {
    leading().ask(|_| Wrong);
}

#[test]
#[should_panic(expected = "the hand is empty")]
fn nobody_is_asked_in_a_situation_that_cannot_be() {
    let upcard = "9H";
    let told = Situation {
        upcard,
        ..Situation::default()
    };
    told.ask(|_| Wrong);
}

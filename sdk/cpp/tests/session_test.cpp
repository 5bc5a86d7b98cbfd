// A bot's stream, with a referee that follows a script.
#include "session.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <future>

#include "messages.h"
#include "upcard/v1/referee.grpc.pb.h"

namespace upcard::detail {
namespace {

using Stream = grpc::ServerReaderWriter<v1::PlayResponse, v1::PlayRequest>;
using Script = std::function<grpc::Status(Stream&)>;

class Referee : public v1::RefereeService::Service {
 public:
  explicit Referee(Script script) : script_(std::move(script)) {}

  grpc::Status Play(grpc::ServerContext*, Stream* stream) override { return script_(*stream); }

 private:
  Script script_;
};

class Directory {
 public:
  Directory() {
    std::string name = std::filesystem::temp_directory_path() / "upcard-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Directory() { std::filesystem::remove_all(path_); }
  Directory(const Directory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class First : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View&, Actions legal) override { return legal.front(); }
};

template <class Kind>
std::unique_ptr<Bot> make(const Seating& seating) {
  return std::make_unique<Kind>(seating);
}

struct Ended {
  int code;
  std::string told;
};

Ended receive(const Factory& factory, const Script& script, int tables = 256) {
  const Directory directory;
  const std::string address = "unix:" + (directory.path() / "referee.sock").string();
  Referee referee(script);
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials());
  builder.RegisterService(&referee);
  const auto server = builder.BuildAndStart();
  testing::internal::CaptureStderr();
  const int code = converse(factory, address, "secret", tables);
  server->Shutdown();
  return {code, testing::internal::GetCapturedStderr()};
}

v1::PlayResponse welcome() {
  v1::PlayResponse response;
  *response.mutable_welcome() = v1::euchre_welcome();
  return response;
}

v1::PlayResponse goodbye() {
  v1::PlayResponse response;
  response.mutable_goodbye();
  return response;
}

v1::PlayResponse frame(const v1::Frame& content) {
  v1::PlayResponse response;
  *response.mutable_frame() = content;
  return response;
}

v1::PlayRequest hear(Stream& stream) {
  v1::PlayRequest request;
  stream.Read(&request);
  return request;
}

/// Says this, whatever the bot says.
Script say(const std::vector<v1::PlayResponse>& responses,
           const grpc::Status& status = grpc::Status::OK) {
  return [responses, status](Stream& stream) {
    hear(stream);
    for (const v1::PlayResponse& response : responses) stream.Write(response);
    return status;
  };
}

/// A table is opened, and its bot is asked there.
v1::Frame a_turn() {
  v1::Frame content = v1::opening({1});
  v1::add_turn(content, 10);
  return content;
}

Ended failing(const Factory& factory, const v1::Frame& content = a_turn()) {
  // The end of the stream would be a reason to stop as well: wait until the bot has gone.
  return receive(factory, [content](Stream& stream) {
    hear(stream);
    stream.Write(welcome());
    stream.Write(frame(content));
    while (hear(stream).has_answers()) {
    }
    return grpc::Status::OK;
  });
}

TEST(Session, ABotPresentsItself) {
  v1::PlayRequest heard;
  receive(
      make<First>,
      [&heard](Stream& stream) {
        heard = hear(stream);
        stream.Write(goodbye());
        return grpc::Status::OK;
      },
      3);
  EXPECT_EQ(heard.hello().token(), "secret");
  EXPECT_EQ(heard.hello().protocol_revision(), 1);
  EXPECT_EQ(heard.hello().sdk(), "upcard-cpp " UPCARD_VERSION);
  EXPECT_EQ(heard.hello().tables(), 3);
}

TEST(Session, AFrameIsAnsweredByOneMessage) {
  v1::PlayRequest heard;
  receive(make<First>, [&heard](Stream& stream) {
    hear(stream);
    stream.Write(welcome());
    stream.Write(frame(v1::opening({1})));
    stream.Write(frame(v1::turns(256)));
    heard = hear(stream);
    stream.Write(goodbye());
    return grpc::Status::OK;
  });
  EXPECT_EQ(heard.answers().turn_ids_size(), 256);
}

/// Waits at its second decision until the first one's answer has arrived.
class Absorbed : public Bot {
 public:
  Absorbed(const Seating& seating, const std::future<void>& arrived)
      : Bot(seating), arrived_(arrived) {}

  Action choose(const View& view, Actions legal) override {
    if (view.turn() == 11) arrived_.wait();
    return legal.front();
  }

 private:
  const std::future<void>& arrived_;
};

TEST(Session, APieceLeavesWhileTheBotGoesOnComputing) {
  std::promise<void> arrival;
  const std::future<void> arrived = arrival.get_future();
  std::vector<std::uint32_t> heard;
  receive([&](const Seating& seating) { return std::make_unique<Absorbed>(seating, arrived); },
          [&](Stream& stream) {
            hear(stream);
            stream.Write(welcome());
            stream.Write(frame(v1::opening({1})));
            stream.Write(frame(v1::turns(2)));
            heard.push_back(hear(stream).answers().turn_ids(0));
            arrival.set_value();
            heard.push_back(hear(stream).answers().turn_ids(0));
            stream.Write(goodbye());
            return grpc::Status::OK;
          },
          1);
  EXPECT_EQ(heard, (std::vector{10U, 11U}));
}

TEST(Session, GoodbyeEndsABotInOrder) {
  const Ended ended = receive(make<First>, say({welcome(), goodbye()}));
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.told, "");
}

TEST(Session, ABotClosesItsSideAfterTheGoodbye) {
  bool closed = false;
  receive(make<First>, [&closed](Stream& stream) {
    hear(stream);
    stream.Write(goodbye());
    v1::PlayRequest request;
    closed = !stream.Read(&request);
    return grpc::Status::OK;
  });
  EXPECT_TRUE(closed);
}

TEST(Session, ARefereeThatNeverEndsIsLeft) {
  const Ended ended = receive(make<First>, [](Stream& stream) {
    hear(stream);
    stream.Write(goodbye());
    while (stream.Write(v1::PlayResponse())) {
    }
    return grpc::Status::OK;
  });
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.told, "");
}

TEST(Session, TheEndOfTheStreamEndsABotInOrder) {
  const Ended ended = receive(make<First>, say({welcome()}));
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.told, "");
}

TEST(Session, AGoodbyeInsteadOfAWelcomeEndsABotInOrder) {
  EXPECT_EQ(receive(make<First>, say({goodbye()})).code, 0);
}

TEST(Session, ARefusedBotSaysWhy) {
  const grpc::Status refused(grpc::StatusCode::UNAUTHENTICATED, "wrong token");
  const Ended ended = receive(make<First>, say({}, refused));
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.told, "the referee does not receive this bot: UNAUTHENTICATED: wrong token\n");
}

TEST(Session, ARefereeThatGoesAwayIsNoFailureOfTheBot) {
  const grpc::Status gone(grpc::StatusCode::UNAVAILABLE, "no more");
  const Ended ended = receive(make<First>, say({welcome()}, gone));
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.told, "the referee is gone: UNAVAILABLE: no more\n");
}

TEST(Session, AnUnknownMessageIsPassedOver) {
  EXPECT_EQ(receive(make<First>, say({welcome(), v1::PlayResponse(), goodbye()})).code, 0);
}

TEST(Session, AFrameOfManyMegabytesIsRead) {
  v1::Frame news;
  for (int number = 0; number < 800'000; ++number) news.add_closed()->set_table_id(~0U);
  ASSERT_GT(news.ByteSizeLong(), 5'000'000);
  EXPECT_EQ(receive(make<First>, say({welcome(), frame(news), goodbye()})).told, "");
}

TEST(Session, AFaultIsToldInWords) {
  v1::PlayResponse response;
  v1::FaultNotice& notice = *response.mutable_fault();
  notice.set_fault(v1::FAULT_ILLEGAL_ACTION);
  notice.set_table_id(7);
  notice.set_turn_id(12);
  notice.set_explanation("no such action");
  EXPECT_EQ(receive(make<First>, say({welcome(), response, goodbye()})).told,
            "fault ILLEGAL_ACTION at table 7, turn 12: no such action\n");
}

TEST(Session, AnOddFaultBeforeTheWelcomeIsToldToo) {
  v1::PlayResponse response;
  response.mutable_fault()->set_explanation("no");
  EXPECT_EQ(receive(make<First>, say({response, goodbye()})).told, "fault UNSPECIFIED: no\n");
}

TEST(Session, AFaultOfALaterRevisionIsToldByItsNumber) {
  v1::PlayResponse response;
  response.mutable_fault()->set_fault(v1::Fault(99));
  response.mutable_fault()->set_explanation("no");
  EXPECT_EQ(receive(make<First>, say({welcome(), response, goodbye()})).told, "fault 99: no\n");
}

class Throwing : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View&, Actions) override { throw std::out_of_range("no such trick"); }
};

TEST(Session, ABotThatThrowsEndsWithExitCode1) { EXPECT_EQ(failing(make<Throwing>).code, 1); }

TEST(Session, AFailureTellsTheSituationAndTheException) {
  EXPECT_EQ(failing(make<Throwing>).told,
            "[table 1, turn 10] the bot failed; euchre, bidding: hand 9C TC JC, upcard JS, "
            "legal pass order_up\n"
            "std::out_of_range: no such trick\n");
}

class Odd : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View&, Actions) override { throw 1; }
};

TEST(Session, AnExceptionThatIsNoneIsCalledByItsType) {
  EXPECT_TRUE(failing(make<Odd>).told.ends_with("\nint\n"));
}

class Illegal : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View&, Actions) override { return Action::play("JD"_card); }
};

TEST(Session, AnIllegalActionEndsABot) {
  const Ended ended = failing(make<Illegal>);
  EXPECT_EQ(ended.code, 1);
  EXPECT_TRUE(ended.told.ends_with(
      "\nupcard::IllegalChoice: the bot returned play:JD; legal here: pass order_up\n"));
}

TEST(Session, ABotThatCannotBeMadeFails) {
  const Ended ended =
      failing([](const Seating&) -> std::unique_ptr<Bot> { throw std::runtime_error("no book"); });
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.told,
            "[table 1, turn 10] the bot failed; euchre, bidding: hand 9C TC JC, upcard JS, "
            "legal pass order_up\n"
            "std::runtime_error: no book\n");
}

TEST(Session, AFailureIsToldWhereItsSituationCannotBe) {
  v1::Frame content = a_turn();
  v1::EuchreView& view = *content.mutable_turns(0)->mutable_euchre();
  for (int card = 0; card < 52; ++card) view.add_hand(v1::CARD_NINE_OF_CLUBS);
  const Ended ended = failing(make<Throwing>, content);
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.told,
            "[table 1, turn 10] the bot failed\n"
            "std::out_of_range: no such trick\n");
}

TEST(Session, WhatIsNotKnownEndsABotWithWords) {
  v1::Frame content = a_turn();
  content.mutable_turns(0)->mutable_euchre()->add_legal_calls(v1::EuchreCall(12));
  const Ended ended = failing(make<First>, content);
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.told,
            "[table 1, turn 10] the referee offers an action that this version of the SDK does not "
            "know\n");
}

class Logging : public First {
 public:
  using First::First;
  Action choose(const View& view, Actions legal) override {
    log(to_string(view.hand().front()));
    return First::choose(view, legal);
  }
};

TEST(Session, ALogLineTellsTableAndTurn) {
  EXPECT_EQ(receive(make<Logging>, say({welcome(), frame(a_turn()), goodbye()})).told,
            "[table 1, turn 10] 9C\n");
}

TEST(Session, ALogLineOutsideADecisionStandsAlone) {
  testing::internal::CaptureStderr();
  log("ready");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "ready\n");
}

TEST(Session, AGameFromTheFutureEndsABotWithWords) {
  v1::PlayResponse odd;
  odd.mutable_welcome()->set_seat(v1::SEAT_NORTH);
  const Ended ended = receive(make<First>, say({odd}));
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.told, "the referee plays a game that this version of the SDK does not know\n");
}

TEST(Run, WithoutARefereeABotSaysHowToTryIt) {
  unsetenv("UPCARD_ADDRESS");
  testing::internal::CaptureStderr();
  EXPECT_EQ(run<First>(), 2);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("`upcard try DIR`"), std::string::npos);
}

class WrongTables : public testing::TestWithParam<int> {};

TEST_P(WrongTables, AreRefused) { EXPECT_THROW(run<First>(GetParam()), std::invalid_argument); }

INSTANTIATE_TEST_SUITE_P(Run, WrongTables, testing::Values(0, 257));

}  // namespace
}  // namespace upcard::detail

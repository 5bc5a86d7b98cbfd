# frozen_string_literal: true

# A bot without an SDK. Here is the conversation with the referee, as docs/protocol.md tells it;
# how the bot plays is on the pages euchre.rb and whist.rb.

$LOAD_PATH.unshift(File.join(__dir__, 'lib'))

require_relative 'stream'
require_relative 'euchre'
require_relative 'whist'

# From hello to goodbye.
class Conversation
  include Upcard::V1

  PLAYERS = { euchre: Euchre, whist: Whist }.freeze
  TABLES = 256

  def initialize(address, token)
    @stream = Stream.new(address)
    hello = Hello.new(token: token, protocol_revision: 1, sdk: 'plain 1.0.0', tables: TABLES)
    @stream.say(PlayRequest.new(hello: hello))
  end

  # Returns at the goodbye, or when the stream ends.
  def hold
    @stream.each do |response|
      hear(response)
      return @stream.close if response.message == :goodbye
    end
  end

  # Whether the referee has received this bot.
  def welcome?
    !@player.nil?
  end

  private

  # A message that is none of these is of a later revision, and passed over.
  def hear(response)
    case response.message
    when :welcome then @player = player_of(response.welcome.rules)
    when :frame then answer(response.frame.turns)
    when :fault then tell(response.fault)
    end
  end

  def player_of(game)
    PLAYERS.fetch(game) { raise NotKnown, 'the game that is played' }
  end

  # A turn is complete in itself, so it does not matter here which tables are opened and closed. A
  # frame is answered in one message: 256 decisions take far less than the time there is for one.
  def answer(turns)
    return if turns.empty?

    choices = turns.map { |turn| @player.new(view_of(turn)).choice }
    answers = Answers.new(turn_ids: turns.map(&:turn_id), choices: choices)
    @stream.say(PlayRequest.new(answers: answers))
  end

  def view_of(turn)
    raise NotKnown, "the game of turn #{turn.turn_id}" unless PLAYERS[turn.view] == @player

    turn[turn.view.to_s]
  end

  def tell(notice)
    fault = notice.fault.to_s.delete_prefix('FAULT_')
    warn "fault #{fault} at table #{notice.table_id}, turn #{notice.turn_id}: #{notice.explanation}"
  end
end

# Returns the exit code. A stream that breaks off is no error of a bot that was received.
def play(address, token)
  conversation = Conversation.new(address, token)
  conversation.hold
  0
rescue NotKnown => e
  warn "this bot does not know #{e.message}"
  1
rescue GRPC::BadStatus => e
  codes = GRPC::Core::StatusCodes
  code = codes.constants.find { |name| codes.const_get(name) == e.code }
  warn "the referee ended the stream: #{code}: #{e.details}"
  conversation.welcome? ? 0 : 1
end

if $PROGRAM_NAME == __FILE__
  address = ENV['UPCARD_ADDRESS'].to_s
  abort 'UPCARD_ADDRESS is not set: a bot is started by the referee.' if address.empty?
  exit play(address, ENV['UPCARD_TOKEN'].to_s)
end

# frozen_string_literal: true

require_relative 'player'

# Leads the best card of its longest suit.
class Whist < Player
  def initialize(view)
    super
    @trump = CARDS[view.trump_card].suit
  end

  private

  def lead
    longest = @legal.group_by(&:suit).values.max_by(&:size)
    longest.max_by(&:rank)
  end
end

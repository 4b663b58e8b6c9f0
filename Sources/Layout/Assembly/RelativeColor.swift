import Foundation
import HomePayload
import JSON

/// A colour as light, to compute how well text on it can be read (WCAG 2.2, relative luminance and contrast ratio).
struct RelativeColor: Hashable {
  static let black = RelativeColor(red: 0, green: 0, blue: 0, alpha: 1)
  static let white = RelativeColor(red: 1, green: 1, blue: 1, alpha: 1)

  /// The components, 0 to 1, as a screen is given them.
  private let red: Double
  private let green: Double
  private let blue: Double
  private let alpha: Double

  private init(red: Double, green: Double, blue: Double, alpha: Double) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// A colour, `nil` when the text is neither `#RRGGBB` nor `#RRGGBBAA`.
  init?(_ text: String) {
    let digits = text.utf8.dropFirst().map { byte -> Int? in
      switch byte {
      case 0x30...0x39: Int(byte) - 0x30
      case 0x41...0x46, 0x61...0x66: Int(byte | 0x20) - 0x61 + 10
      default: nil
      }
    }
    guard text.utf8.first == UInt8(ascii: "#"), [6, 8].contains(digits.count) else { return nil }
    var components: [Double] = []
    for start in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[start], let low = digits[start + 1] else { return nil }
      components.append(Double(high * 16 + low) / 255)
    }
    self.init(
      red: components[0], green: components[1], blue: components[2], alpha: components.count > 3 ? components[3] : 1)
  }

  /// The colour of JSON, a text or an object of one for light and one for dark; `nil` when it is no colour.
  init?(_ json: JSON?, isDark: Bool) {
    let text = json?.string ?? json?[isDark ? "dark" : "light"]?.string
    guard let text, let color = RelativeColor(text) else { return nil }
    self = color
  }

  /// Whether nothing of what is behind it shows through.
  var isOpaque: Bool { alpha == 1 }

  /// The visible colour of this one over another.
  func over(_ other: RelativeColor) -> RelativeColor {
    func mixed(_ own: Double, _ below: Double) -> Double { own * alpha + below * (1 - alpha) }
    return RelativeColor(
      red: mixed(red, other.red), green: mixed(green, other.green), blue: mixed(blue, other.blue), alpha: 1)
  }

  /// WCAG 2.2: 0 is black, 1 white.
  private var luminance: Double {
    func linear(_ value: Double) -> Double { value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// WCAG 2.2: from 1, the same, to 21, black on white.
  func contrast(to other: RelativeColor) -> Double {
    let (lighter, darker) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (lighter + 0.05) / (darker + 0.05)
  }
}

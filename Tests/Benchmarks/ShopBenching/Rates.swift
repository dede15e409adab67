import Benchmarking
import Foundation

/// Figures of alternating rounds.
public struct Rates {
    private var measured: [Double] = []
    private var compared: [Double] = []

    public init() {}

    public mutating func append(_ measured: Double, _ compared: Double) {
        self.measured.append(measured)
        self.compared.append(compared)
    }

    /// Prints the medians of both, and that of the ratios.
    public func show(_ name: String, width: Int = 10) {
        let ratios = zip(measured, compared).map { $0 / $1 }
        let figures = ["\(Int(measured.median))", "\(Int(compared.median))", Self.text(ratios.median)]
        sayRow(name, 20, figures, width, note: "  (\(ratios.map(Self.text).joined(separator: ", ")))")
    }

    public static func text(_ ratio: Double) -> String { String(format: "%.2f", ratio) }
}

import Foundation
import Testing

@testable import PouchWeb

@Suite("The charts of the administration")
struct DayChartTests {
    private func marks(_ values: [Int64]) -> [String] {
        let days = values.map { DayChart.Day(label: "1 May", value: $0) }
        return DayChart(id: "c", title: "Chart", total: "", days: days, text: { String($0) }).bars.scale
    }

    @Test func `The marks of the scale are round, and the highest day fits`() {
        let tops: [(most: Int64, top: Int64)] = [
            (1, 2), (3, 4), (10, 10), (11, 20), (364_675, 400_000), (900_001, 1_000_000),
            (.max, 1_000_000_000_000_000_000),
        ]
        for (most, top) in tops {
            #expect(marks([0, most, -5]) == [String(top), String(top / 2), "0"], "\(most)")
        }
    }

    @Test func `Days without sales, or with refunds alone, have no scale`() {
        #expect(marks([0, 0]) == [] && marks([-7, .min]) == [])
    }
}

import PouchDomain
import PouchEntities
import Testing

@Suite("Payment machine")
struct PaymentMachineTests {
    @Test func `A payment is captured or fails, and only what is captured is refunded`() {
        let allowed: Set<[Payment.Status]> = [
            [.pending, .captured], [.pending, .failed], [.captured, .partiallyRefunded], [.captured, .refunded],
            [.partiallyRefunded, .partiallyRefunded], [.partiallyRefunded, .refunded],
        ]
        for from in Payment.Status.allCases {
            for to in Payment.Status.allCases {
                #expect(PaymentMachine.allows(from, to: to) == allowed.contains([from, to]), "\(from) to \(to)")
            }
        }
    }
}

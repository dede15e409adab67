import CoreMetrics
import Metrics
import PouchDomain
import PouchEntities
import PouchTelemetry

/// Measures and traces the calls to a payment provider.
struct WatchedPayments: PaymentProvider {
    let provider: any PaymentProvider
    let metrics: any MetricsFactory
    let tracer: SpanTracer?

    func ledgerId() async throws(PaymentProviderError) -> String {
        // Requested before each charge and answered from memory, so it is not measured.
        try await provider.ledgerId()
    }

    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome {
        try await watch("charge", \.name) { () async throws(PaymentProviderError) in try await provider.charge(request)
        }
    }

    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome {
        try await watch("settle", \.name) { () async throws(PaymentProviderError) in
            try await provider.settle(key: key, ledgerId: ledgerId)
        }
    }

    func refund(_ request: RefundRequest) async throws(PaymentProviderError) {
        try await watch("refund", { _ in "refunded" }) { () async throws(PaymentProviderError) in
            try await provider.refund(request)
        }
    }

    private func watch<Value: Sendable>(
        _ operation: String, _ name: (Value) -> String, _ call: () async throws(PaymentProviderError) -> Value
    ) async throws(PaymentProviderError) -> Value {
        let start = ContinuousClock.now
        let span = SpanTracer.isRecording ? tracer?.startSpan("payment \(operation)", .client) : nil
        let result: Result<Value, PaymentProviderError> =
            await TraceContext.$current.withValue(span?.trace ?? TraceContext.current) {
                do throws(PaymentProviderError) { return .success(try await call()) } catch { return .failure(error) }
            }
        let outcome =
            switch result {
            case .success(let value): name(value)
            case .failure(let error): error.rawValue
            }
        CoreMetrics.Timer(
            label: "pouch_payment_duration_seconds", dimensions: [("operation", operation)], factory: metrics
        ).record(duration: ContinuousClock.now - start)
        Counter(
            label: "pouch_payment_calls_total", dimensions: [("operation", operation), ("outcome", outcome)],
            factory: metrics
        ).increment()
        if let span {
            span.add("pouch.outcome", outcome)
            if case .failure = result { span.fail() }
            span.end()
        }
        return try result.get()
    }
}

extension ChargeOutcome {
    /// The outcome's name, without the provider's reason, which may be any text.
    fileprivate var name: String {
        switch self {
        case .captured: "captured"
        case .declined: "declined"
        case .voided: "voided"
        }
    }
}

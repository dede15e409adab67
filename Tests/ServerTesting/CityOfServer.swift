import PouchRides
import PouchServer

extension ServerConfiguration {
    /// The city of the server's rides; a server gets rides when it is set.
    public var city: CitySettings {
        get { parts.lazy.compactMap { ($0 as? Rides)?.city }.first ?? CitySettings() }
        set { parts = [Rides(city: newValue)] }
    }
}

"""What the machine is and does during a run: devices, processors, memory, samples. Imports no engine."""
